// The bars as rows: one bar a chain, bars that overlap below each other, and attempts below their chain when it is open.

class TimelineModel {
  constructor(data) {
    this.data = data;
    this.byChain = new Map();
    for (const bar of data.bars) {
      const own = this.byChain.get(bar.chain);
      if (own) own.push(bar);
      else this.byChain.set(bar.chain, [bar]);
    }
    this.items = [...this.byChain].map(([chain, attempts]) => ({
      chain,
      attempts,
      lane: attempts[0].lane,
      start: Math.min(...attempts.map((bar) => bar.at)),
      end: Math.max(...attempts.map(endOf)),
      waits: data.waits[chain] ?? [],
    }));
    this.items.sort((one, other) => one.start - other.start || one.chain - other.chain);
    this.marks = [...data.marks].sort((one, other) => one.at - other.at);
    this.open = new Set();
    this.lanes = data.lanes.map((lane, at) => ({ ...lane, items: this.items.filter((item) => item.lane === at) }));
    for (const lane of this.lanes) placeInTracks(lane);
    this.chains = this.items.filter((item) => item.attempts.length > 1);
  }

  spans() {
    return [...this.items.map((item) => [item.start, item.end]), ...this.marks.map(({ at }) => [at, at])];
  }

  toggle(chain) {
    if (!this.open.delete(chain)) this.open.add(chain);
  }

  turnAll(open) {
    this.open = new Set(open ? this.chains.map((item) => item.chain) : []);
  }

  /** Returns the rows of a lane: its tracks, each followed by those of the attempts of its open chains. */
  rows(lane) {
    const rows = [];
    for (let track = 0; track < lane.tracks; track++) {
      const items = lane.items.filter((item) => item.track === track);
      rows.push({ items });
      const opened = items.filter((item) => this.open.has(item.chain));
      const most = Math.max(0, ...opened.map((item) => item.attempts.length));
      for (let attempt = 0; attempt < most; attempt++) {
        const attempts = opened.filter((item) => attempt < item.attempts.length);
        rows.push({ attempts: attempts.map((item) => ({ item, bar: item.attempts[attempt], index: attempt })) });
      }
    }
    return rows;
  }
}

function endOf(bar) {
  return bar.at + (bar.ms ?? 0);
}

const MOST_TRACKS = 8;

/** Puts calls that ran at the same time below each other. */
function placeInTracks(lane) {
  const ends = [];
  for (const item of lane.items) {
    let track = ends.findIndex((end) => end <= item.start);
    if (track < 0) track = ends.length < MOST_TRACKS ? ends.length : MOST_TRACKS - 1;
    ends[track] = Math.max(ends[track] ?? -Infinity, item.end);
    item.track = track;
  }
  lane.tracks = Math.max(1, ends.length);
}
