(async () => {
  const packed = document.getElementById("plies").textContent;
  const bytes = Uint8Array.from(atob(packed), (sign) => sign.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  const { plies, words, stepMs } = await new Response(stream).json();
  const find = (id) => document.getElementById(id);
  const last = () => plies.length - 1;

  function draw(at) {
    const ply = plies[at];
    find("moved").innerHTML = ply.moved;
    find("stacks").innerHTML = ply.stacks;
    for (const part of ["headline", "details", "counts", "verdict", "words", "said"])
      find(part).textContent = ply[part];
    find("title").textContent = ply.headline;
    return ply.name;
  }

  const steps = stepping({ last, draw, words, stepMs });
  find("controls").hidden = false;
  steps.show(last());
})();
