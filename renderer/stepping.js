"use strict";
// Buttons, keys, a slider, swipes and a list for stepping through a game. `last` returns the last ply.
// `draw` shows a ply and returns its name. Returns functions that go to a ply and that stop playback.
function stepping({ last, draw, words, stepMs }) {
  const find = (id) => document.getElementById(id);
  let at = 0;
  let timer = 0;

  function show(wanted) {
    at = Math.min(Math.max(wanted, 0), last());
    const name = draw(at);
    const slider = find("slider");
    slider.max = last();
    slider.value = at;
    slider.setAttribute("aria-valuetext", name);
    find("back").disabled = find("first").disabled = at === 0;
    find("next").disabled = find("last").disabled = at === last();
    for (const item of document.querySelectorAll("[data-ply]")) {
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
    if (at === last()) pause();
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
    if (at === last()) show(0);
    timer = setInterval(() => show(at + 1), stepMs);
    find("play").textContent = words.pause;
  }

  const ways = {
    first: () => step(0),
    back: () => step(at - 1),
    play,
    next: () => step(at + 1),
    last: () => step(last()),
  };
  for (const [id, way] of Object.entries(ways)) find(id).addEventListener("click", way);
  find("slider").addEventListener("input", (event) => step(Number(event.target.value)));
  document.addEventListener("click", (event) => {
    const item = event.target.closest("[data-ply]");
    if (item) step(Number(item.dataset.ply));
  });

  const keys = { ArrowLeft: "back", ArrowRight: "next", Home: "first", End: "last" };
  document.addEventListener("keydown", (event) => {
    const way = keys[event.key];
    if (!way || event.target.tagName === "INPUT") return;
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

  return { show, step, pause, here: () => at };
}
