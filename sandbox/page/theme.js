// Runs before the first rendering, so that the wrong theme never flashes.
document.documentElement.dataset.theme = localStorage.getItem("theme") ?? "auto";
