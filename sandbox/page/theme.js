// Runs before the page is drawn, so that a chosen theme never flashes.
document.documentElement.dataset.theme = localStorage.getItem("theme") ?? "auto";
