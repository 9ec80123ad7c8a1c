"use strict";
(async () => {
  const packed = document.getElementById("plies").textContent;
  const bytes = Uint8Array.from(atob(packed), (sign) => sign.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  const { plies, words, stepMs } = await new Response(stream).json();
  const find = (id) => document.getElementById(id);
  const items = [...document.querySelectorAll("[data-ply]")];
  let at = plies.length - 1;
  let timer = 0;

  function show(wanted) {
    at = Math.min(Math.max(wanted, 0), plies.length - 1);
    const ply = plies[at];
    find("moved").innerHTML = ply.moved;
    find("stacks").innerHTML = ply.stacks;
    find("headline").textContent = ply.headline;
    find("details").textContent = ply.details;
    find("counts").textContent = ply.counts;
    find("verdict").textContent = ply.verdict;
    find("words").textContent = ply.words;
    find("title").textContent = ply.headline;
    find("said").textContent = ply.said;
    const slider = find("slider");
    slider.value = at;
    slider.setAttribute("aria-valuetext", ply.name);
    find("back").disabled = find("first").disabled = at === 0;
    find("next").disabled = find("last").disabled = at === plies.length - 1;
    for (const item of items) {
      const here = Number(item.dataset.ply) === at;
      if (here) item.setAttribute("aria-current", "step");
      else item.removeAttribute("aria-current");
      if (here && item.closest("#moves")) {
        const list = find("moves");
        const top = item.offsetTop - list.offsetTop;
        if (top < list.scrollTop || top > list.scrollTop + list.clientHeight - item.offsetHeight)
          list.scrollTop = top - list.clientHeight / 2;
      }
    }
    if (at === plies.length - 1) pause();
  }

  function pause() {
    clearInterval(timer);
    timer = 0;
    find("play").textContent = words.play;
  }

  function step(wanted) {
    pause();
    show(wanted);
  }

  function play() {
    if (timer) return pause();
    if (at === plies.length - 1) show(0);
    timer = setInterval(() => show(at + 1), stepMs);
    find("play").textContent = words.pause;
  }

  const ways = {
    first: () => step(0),
    back: () => step(at - 1),
    play,
    next: () => step(at + 1),
    last: () => step(plies.length - 1),
  };
  for (const [id, way] of Object.entries(ways)) find(id).addEventListener("click", way);
  find("slider").addEventListener("input", (event) => step(Number(event.target.value)));
  for (const item of items) item.addEventListener("click", () => step(Number(item.dataset.ply)));

  const keys = { ArrowLeft: "back", ArrowRight: "next", Home: "first", End: "last" };
  document.addEventListener("keydown", (event) => {
    const way = keys[event.key];
    if (!way || event.target === find("slider")) return;
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    ways[way]();
  });

  let startX = null;
  const picture = find("board");
  picture.addEventListener("pointerdown", (event) => (startX = event.clientX));
  picture.addEventListener("pointercancel", () => (startX = null));
  picture.addEventListener("pointerup", (event) => {
    if (startX === null) return;
    const across = event.clientX - startX;
    startX = null;
    if (Math.abs(across) > 40) step(across < 0 ? at + 1 : at - 1);
  });

  find("controls").hidden = false;
  show(at);
})();
