(async () => {
  const find = (id) => document.getElementById(id);
  const bytes = Uint8Array.from(atob(find("data").textContent), (sign) => sign.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  const page = await new Response(stream).json();  // written by `renderer.game_page`
  const { kit, labels, words } = page;
  const colours = { W: "white", B: "black" };
  const mode = new URLSearchParams(location.search);
  for (const name of ["overlay", "embed"]) if (mode.has(name)) document.body.classList.add(name);
  const frozen = mode.has("overlay");
  const none = () => ({ start: dvonn.initial(), moves: [], headers: {} });
  const own = page.own ? dvonn.decode(page.own.link) : none();  // embedded in the page
  let game = own;  // as in the link
  let moves = [];  // the moves on the screen, of the game or another line
  let agreed = 0;  // number of these moves that are the game's
  let positions = [game.start];
  let source = -1;  // the selected stack
  let turned = page.turned !== mode.has("turned");

  const spot = (index) => (turned ? 48 - index : index);
  const label = (index) => labels[game.headers.Coordinates ?? "standard"][index];
  const size = (stacked) => kit.sizes[game.headers.Coordinates ?? "standard"][stacked ? 1 : 0];
  const told = (move) => (move.source < 0 ? "" : label(move.source) + "-") + label(move.target);
  const escaped = (text) => new Option(text).innerHTML;
  // User text as one line of limited length, without characters that change the text direction.
  const header = (tag) => [...(game.headers[tag] ?? "").replace(/[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, "")].slice(0, 40).join("");

  // Isolate right-to-left names so that they don't reorder adjacent text.
  const isolated = (name) => (/[\p{Script=Hebrew}\p{Script=Arabic}]/u.test(name) ? `\u2068${name}\u2069` : name);

  const whose = ({ headers }) => JSON.stringify([headers.Start, headers.White, headers.Black]);

  function read(text) {
    let found = own, problem = "";
    if (text.replace(/^#/, "")) {
      try {
        found = dvonn.decode(text);
        if (!Object.hasOwn(labels, found.headers.Coordinates ?? "standard")) throw new Error("header");
      } catch {
        problem = words.bad_link;
      }
    }
    // A line that somebody tried in the page's own game belongs to that game.
    game = page.own && whose(found) === whose(own) ? own : found;
    line(found.moves, found.moves.length);
    if (problem) find("details").textContent = problem;
  }

  const same = (move, ply) => ply < game.moves.length && dvonn.name(move) === dvonn.name(game.moves[ply]);
  const numbered = (ply) => (ply ? `${(game === own && page.own ? page.own.first : game.start.plies) + ply}. ${told(moves[ply - 1])}` : words.beginning);

  function line(played, ply) {
    moves = [...played];
    const other = moves.findIndex((move, at) => !same(move, at));
    agreed = other < 0 ? moves.length : other;
    positions = [game.start];
    for (const move of moves) positions.push(dvonn.play(positions.at(-1), move));
    find("moves").innerHTML = positions
      .map((_, ply) => `<li><button type="button" data-ply="${ply}">${escaped(numbered(ply))}</button></li>`)
      .join("");
    steps.step(ply);
  }

  const isGame = () => agreed === moves.length && agreed === game.moves.length;

  function link() {
    const headers = { ...game.headers };
    if (!isGame()) for (const tag of ["Result", "Termination"]) delete headers[tag];
    return "#" + dvonn.encode(game.start, moves, headers);
  }

  function stack(pieces, [x, y], name, quiet) {
    const height = pieces.length, seen = pieces.slice(-kit.layers.length), top = pieces.at(-1), up = seen.length - 1;
    const placed = (drawn) => `<g transform="translate(${x} ${y})">${drawn}</g>`;
    const named = () => text(name, x, y + kit.names[up], kit.inks[top][quiet], true);
    if (height === 1) return placed(kit.single[top]) + (top === "R" ? named() : "");
    const reds = pieces.split("R").length - 1;
    const parts = [...seen].map((piece, layer) => kit.layers[layer][piece]);
    parts.push(kit.lifted[up], kit.caps[top], kit.numbers[top][String(height).length - 1].replace(/{n+}/, height), kit.marks[reds], "</g>");
    return placed(parts.join("")) + named();
  }

  const text = (name, x, y, fill, stacked) =>
    `<text x="${x}" y="${(y + size(stacked) * 0.33).toFixed(1)}" font-size="${size(stacked)}" fill="${fill}">${name}</text>`;

  // The corners of the band between two spaces, as in renderer/move_band.py.
  function way([x, y], [endX, endY]) {
    const length = Math.hypot(endX - x, endY - y), [across, down] = [(endX - x) / length, (endY - y) / length];
    const place = ([along, beside]) => `${(x + across * along - down * beside).toFixed(1)} ${(y + down * along + across * beside).toFixed(1)}`;
    return length < kit.way.next ? "" : `M${kit.way.corners.map(([along, beside, far]) => place([far ? length + along : along, beside])).join("L")}Z`;
  }

  function draw(position, last) {
    const centre = (index) => kit.centres[spot(index)];
    const ends = last ? [last.source, last.target].filter((end) => end >= 0) : [];
    // The color of a space's name: quiet (1) if nobody can act there, otherwise loud (0).
    const quiet = (index) => (ends.includes(index) || (position.phase === "place" && !position.cells[index]) ? 0 : 1);
    const gone = position.removed.map(([index, pieces]) => {
      const [x, y] = centre(index), kind = kit.gone[pieces.at(-1)].replace("{n}", pieces.length);
      return [index, `<g transform="translate(${x} ${y})">${kind}</g>` + text(label(index), x, y + kit.left, kit.labels[quiet(index)], true)];
    });
    const left = new Set(gone.map(([index]) => index));
    find("names").innerHTML = position.cells.map((_, index) => (left.has(index) ? "" : text(label(index), ...centre(index), kit.labels[quiet(index)]))).join("");
    const there = position.cells.flatMap((pieces, index) => (pieces ? [[index, stack(pieces, centre(index), label(index), quiet(index))]] : []));
    find("stacks").innerHTML = [...there, ...gone].sort(([one], [other]) => centre(one)[1] - centre(other)[1]).map(([, drawn]) => drawn).join("");
    const tinted = ends.map((end) => kit.spaces[spot(end)]);
    if (last && last.source >= 0) tinted.push(way(centre(last.source), centre(last.target)));
    find("moved").innerHTML = tinted.map((path) => `<path d="${path}" fill="${kit.moved}"/>`).join("");
    const legal = dvonn.legal(position);
    const from = new Set(legal.map((move) => (move.source < 0 ? move.target : move.source)));
    const to = new Set(legal.flatMap((move) => (source >= 0 && move.source === source ? [move.target] : [])));
    find("hits").innerHTML = position.cells.map((_, index) => {
      const kind = index === source ? "from" : to.has(index) ? "to" : from.has(index) && !frozen ? "open" : "";
      return `<path d="${kit.spaces[spot(index)]}" data-point="${index}" class="${kind}"/>`;
    }).join("");
  }

  // The link's winner of a game that ended early, or "" if there is none.
  function ending(position, at) {
    if (position.phase === "over" || at !== moves.length || !isGame()) return null;
    const how = game.headers.Termination ?? "";
    const won = { "1-0": "W", "0-1": "B", "1/2-1/2": "" }[game.headers.Result] ?? (how === "abort" ? "" : null);
    return won === null ? null : { won, how };
  }

  function how({ won, how }) {
    const loser = colours[won === "W" ? "B" : "W"];
    if (how === "abort") return words.aborted;
    if (how === "agreement") return words.agreed;
    if (how === "time") return won ? words.out_of_time[loser] : words.time_over;
    return how === "resignation" && won ? words.resigned[loser] : "";
  }

  function headline(position, end) {
    if (end) return end.won ? words.wins[colours[end.won]] : end.how === "abort" ? words.no_result : words.draw;
    const color = colours[position.turn];
    if (position.phase === "place") return words[position.placed < 3 ? "to_place_red" : "to_place"][color];
    if (position.phase === "move") return words.to_move[color];
    const white = dvonn.score(position, "W"), black = dvonn.score(position, "B");
    return white === black ? words.draw : words.wins[white > black ? "white" : "black"];
  }

  function details(position, end) {
    const lost = (color) => position.removed.reduce((sum, [, pieces]) => sum + (dvonn.owner(pieces) === color ? pieces.length : 0), 0);
    const gone = ["W", "B"].flatMap((color) => (lost(color) ? [words.lost[colours[color]].replace("{count}", lost(color))] : []));
    const said = [];
    if (gone.length) said.push(words.cut_off.replace("{lost}", gone.join(", ")));
    if (position.passed) said.push(words.passed[colours[position.passed]]);
    if (end) said.unshift(how(end));
    return said.filter(Boolean).join(" · ");
  }

  // The text for a ply: the page's own for its game, otherwise generic.
  function saying(at) {
    if (page.own && game === own && at <= agreed) return page.own.plies[at];
    const position = positions[at], last = moves[at - 1];
    const names = { W: header("White") || words.white, B: header("Black") || words.black };
    const end = ending(position, at);
    const [said, more] = [headline(position, end), details(position, end)];
    const score = (color) => (position.phase === "place" ? "" : ` ${dvonn.score(position, color)}`);
    const counts = ["W", "B"].map((color) => `${kit.discs[color]}&nbsp;<bdi>${escaped(names[color])}</bdi>${score(color)}`).join(" · ");
    return { headline: said, details: more, counts, verdict: "", words: "", said: [last ? told(last) : "", said, more].filter(Boolean).join(". ") };
  }

  function title() {
    if (page.own && game === own) return page.own.title;
    const [white, black] = ["White", "Black"].map((tag) => isolated(header(tag)));
    return white || black ? `${white || words.white} – ${black || words.black}` : "DVONN";
  }

  const back = () => (game.moves.length ? game : own);

  function shown(at) {
    source = -1;
    draw(positions[at], moves[at - 1]);
    const said = saying(at);
    for (const part of ["headline", "details", "verdict", "words"]) find(part).textContent = said[part];
    find("counts").innerHTML = said.counts;
    find("title").textContent = said.headline;
    find("aloud").hidden = !said.words;
    document.title = find("players").textContent = title();
    say(said.said);
    find("undo").disabled = at === 0;
    find("fill").disabled = positions[at].phase !== "place";
    find("return").hidden = !back().moves.length || (back() === game && isGame());
    for (const turn of document.querySelectorAll("[data-turn]"))
      turn.toggleAttribute("aria-current", game === own && at <= agreed && Number(turn.dataset.turn) === at);
    const move = tried();
    find("copy_move").hidden = !move;
    find("copy_move").textContent = named(words.copy_move, move);
    tellFrame(at);
    return numbered(at);
  }

  // Tell the embedding page which position is shown.
  function tellFrame(at) {
    if (parent === window) return;
    const move = at ? told(moves[at - 1]) : null;
    parent.postMessage({ dvonn: { link: link().slice(1), ply: at, move } }, "*");
  }

  const say = (what) => (find("said").textContent = what);

  // Play a move in the current position. Start a new line if the current one continues differently.
  function play(move) {
    const at = steps.here();
    if (at < moves.length && dvonn.name(moves[at]) === dvonn.name(move)) return steps.step(at + 1);
    line([...moves.slice(0, at), move], at + 1);
    keep();
  }

  const keep = () => history.replaceState(null, "", location.pathname + location.search + link());

  function touch(index) {
    if (frozen) return;
    const at = steps.here();
    const legal = dvonn.legal(positions[at]);
    const move = legal.find((one) => one.target === index && one.source === source);
    if (move) return play(move);
    const next = index !== source && legal.some((one) => one.source === index) ? index : -1;
    steps.pause();
    source = next;
    draw(positions[at], moves[at - 1]);
  }

  function typed(event) {
    event.preventDefault();
    const wanted = find("text").value.toLowerCase().replace(/[^a-z0-9]/g, "");
    const move = dvonn.legal(positions[steps.here()]).find((one) => told(one).replace("-", "") === wanted);
    if (!move) return say(named(words.not_legal, find("text").value));
    find("text").value = "";
    play(move);
  }

  function fill() {
    const at = steps.here();
    let position = positions[at];
    const added = [];
    while (position.phase === "place") {
      const legal = dvonn.legal(position);
      added.push(legal[Math.floor(Math.random() * legal.length)]);
      position = dvonn.play(position, added.at(-1));
    }
    line([...moves.slice(0, at), ...added], at + added.length);
    keep();
  }

  function fresh() {
    game = none();
    line([], 0);
    keep();
  }

  // Show a turning point of the page's own game.
  function turning({ target }) {
    const turn = target.closest("[data-turn]");
    if (!turn) return;
    game = own;
    line(own.moves, Number(turn.dataset.turn));
    keep();
  }

  async function copy(text, label, done) {
    try {
      await navigator.clipboard.writeText(text);
      say(done);
      find("details").textContent = done;
    } catch {
      prompt(label, text);  // if the page may not use the clipboard, for example a local file
    }
  }

  // The move that somebody tried after the end of a linked game, in the notation for its channel.
  function tried() {
    const isNext = game.moves.length && agreed === game.moves.length && moves.length === agreed + 1;
    return isNext && steps.here() === moves.length ? told(moves.at(-1)) : "";
  }

  const named = (sentence, move) => sentence.replace("{move}", move);

  const ways = {
    new: fresh,
    fill,
    undo: () => { const at = steps.here(); line(moves.slice(0, at - 1), at - 1); keep(); },
    turn: () => { turned = !turned; steps.step(steps.here()); },
    copy: () => copy(location.href.split("#")[0] + link(), words.copy_link, words.link_copied),
    copy_move: () => copy(tried(), named(words.copy_move, tried()), named(words.move_copied, tried())),
    return: () => { game = back(); line(game.moves, Math.min(steps.here(), game.moves.length)); keep(); },
  };
  for (const [id, way] of Object.entries(ways)) find(id).addEventListener("click", way);
  find("typed").addEventListener("submit", typed);
  find("hits").addEventListener("click", (event) => event.target.dataset.point && touch(Number(event.target.dataset.point)));
  const steps = stepping({ last: () => moves.length, draw: shown, words, stepMs: page.stepMs });
  addEventListener("hashchange", () => read(location.hash));
  addEventListener("message", ({ data }) => typeof data?.dvonn === "string" && read(data.dvonn));
  document.addEventListener("click", turning);
  for (const part of ["controls", "typed", "ways"]) find(part).hidden = frozen;
  read(location.hash);
})();
