"use strict";
// The rules of DVONN for a page without a server. Tests compare them with the package `dvonn`.
// A position: cells (49 strings of R, W, B, bottom to top), turn ("W", "B" or ""), phase, plies.
const dvonn = (() => {
  const PLACED = "RRR" + "BW".repeat(23);
  const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_";
  const MORE = DIGITS.length - 1;
  const POINTS = [];
  for (let row = 0; row < 5; row++)
    for (let column = Math.max(0, row - 2); column < Math.min(11, row + 9); column++)
      POINTS.push([column, row]);
  const NAMES = POINTS.map(([column, row]) => "abcdefghijk"[column] + (row + 1));
  const AT = new Map(POINTS.map(([column, row], index) => [12 * row + column, index]));
  const STEPS = [[1, 0], [1, 1], [0, 1], [-1, 0], [-1, -1], [0, -1]];
  // The point at a distance in each direction, or -1 if it is off the board.
  const away = (index, steps) =>
    STEPS.map(([across, up]) => {
      const column = POINTS[index][0] + across * steps, row = POINTS[index][1] + up * steps;
      return column < 0 || column > 11 ? -1 : AT.get(12 * row + column) ?? -1;
    });
  const ENDS = POINTS.map((_, index) => [...Array(11)].map((_, steps) => away(index, steps)));
  const owner = (stack) => (stack === "R" ? "" : stack.slice(-1));

  function movements(cells, turn) {
    const moves = [];
    cells.forEach((stack, source) => {
      if (owner(stack) !== turn || !turn || stack.length > 10) return;
      if (ENDS[source][1].every((beside) => beside >= 0 && cells[beside])) return;
      for (const target of [...ENDS[source][stack.length]].sort((one, other) => one - other))
        if (target >= 0 && cells[target]) moves.push({ source, target });
    });
    return moves;
  }

  function legal(position) {
    if (position.phase === "place")
      return position.cells.flatMap((stack, target) => (stack ? [] : [{ source: -1, target }]));
    return position.phase === "move" ? movements(position.cells, position.turn) : [];
  }

  // The player who can move, if the turn is that player's.
  function resolved(cells, turn, plies, removed = []) {
    const other = turn === "W" ? "B" : "W";
    if (movements(cells, turn).length) return { cells, turn, phase: "move", plies, removed, passed: "" };
    if (movements(cells, other).length)
      return { cells, turn: other, phase: "move", plies, removed, passed: turn };
    return { cells, turn: "", phase: "over", plies, removed, passed: "" };
  }

  function play(position, { source, target }) {
    const cells = [...position.cells], plies = position.plies + 1;
    if (source < 0) {
      cells[target] = PLACED[position.placed];
      const placed = position.placed + 1;
      if (placed === PLACED.length) return resolved(cells, "W", plies);
      return { cells, turn: placed % 2 ? "B" : "W", phase: "place", plies, placed, removed: [], passed: "" };
    }
    cells[target] += cells[source];
    cells[source] = "";
    const linked = new Set(cells.flatMap((stack, index) => (stack.includes("R") ? [index] : [])));
    for (const index of linked)
      for (const beside of ENDS[index][1]) if (beside >= 0 && cells[beside]) linked.add(beside);
    const removed = cells.flatMap((stack, index) => (stack && !linked.has(index) ? [[index, stack]] : []));
    for (const [index] of removed) cells[index] = "";
    return resolved(cells, position.turn === "W" ? "B" : "W", plies, removed);
  }

  const initial = () =>
    ({ cells: Array(49).fill(""), turn: "W", phase: "place", plies: 0, placed: 0, removed: [], passed: "" });

  // Like dvonn.position_from_text, for texts that `dvonn` has written.
  function fromText(text) {
    const [, board, turn, action] = /^(\S+) (?:([WB]) (place|move)|over)$/.exec(text) ?? [];
    const cells = [];
    for (const [part, stack] of (board ?? "").replaceAll("/", "").matchAll(/([rwb]*[RWB])|1[01]|[1-9]/g))
      cells.push(...(stack ? [part.toUpperCase()] : Array(Number(part)).fill("")));
    if (cells.length !== 49) throw new Error("not a position: " + text);
    const placed = cells.filter(Boolean).length;
    if (action === "place") return { ...initial(), cells, turn, plies: placed, placed };
    return resolved(cells, turn ?? "W", 0);
  }

  function score(position, color) {
    return position.cells.reduce((sum, stack) => sum + (owner(stack) === color ? stack.length : 0), 0);
  }

  const name = ({ source, target }) => (source < 0 ? "" : NAMES[source] + "-") + NAMES[target];

  function perft(position, depth) {
    const moves = legal(position);
    if (depth === 1) return moves.length;
    return moves.reduce((sum, move) => sum + perft(play(position, move), depth - 1), 0);
  }

  // Like dvonn.link.encode and decode. Headers exclude those that follow from the game.
  function encode(start, moves, headers = {}) {
    let position = start, said = "1";
    for (const move of moves) {
      const number = legal(position).findIndex((one) => name(one) === name(move));
      said += "_".repeat(Math.floor(number / MORE)) + DIGITS[number % MORE];
      position = play(position, move);
    }
    for (const [tag, value] of Object.entries(headers))
      said += `&${tag}=${encodeURIComponent(value).replaceAll("%2F", "/").replace(/[!'()*]/g, (sign) => "%" + sign.charCodeAt(0).toString(16).toUpperCase())}`;
    return said + "~";
  }

  function decode(text) {
    const [said, ...parts] = text.slice(text.lastIndexOf("#") + 1).replace(/~$/, "").split("&");
    if (said[0] !== "1" || text.length > 4000) throw new Error("version");
    if (!text.endsWith("~")) throw new Error("cut");
    const headers = {};
    for (const part of parts) {
      const [, tag, value] = /^([A-Za-z][A-Za-z0-9_]*)=(.*)$/.exec(part) ?? [];
      if (!tag || Object.hasOwn(headers, tag)) throw new Error("header");
      headers[tag] = decodeURIComponent(value);
    }
    const start = "Start" in headers ? fromText(headers.Start) : initial();
    const moves = [];
    let position = start, more = 0;
    for (const sign of said.slice(1)) {
      const digit = DIGITS.indexOf(sign);
      if (digit < 0) throw new Error("character");
      if (digit === MORE) { more += MORE; continue; }
      const move = legal(position)[more + digit];
      if (!move) throw new Error("no_such_move");
      moves.push(move);
      position = play(position, move);
      more = 0;
    }
    return { start, moves, headers };
  }

  return { NAMES, initial, fromText, legal, play, score, name, owner, perft, encode, decode };
})();
