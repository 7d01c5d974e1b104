// A live feed with as many entities as wanted, in place of the console's: runs in the page.

/** Replaces the socket /live: two workers, `count` entities that all move, ten observations a second. */
export function fakeCrowd(count) {
  const recordBytes = 32;
  const kinds = [{ name: 'drone', motion: 'MOTION_BODY', lowM: [-1, -1, -1], highM: [1, 1, 1] }];
  const worker = (slot) => ({
    slot, name: `sim-${slot}`, alive: true, incarnation: 1, draining: false, standbyInSync: true, build: 'test',
    handleBase: 0, handleCount: 0, fabricAddress: '', grpcAddress: '', entities: count / 2, players: 0, loadMs: 1, tickP99Ms: 1,
  });
  const region = (id, low, high) => ({
    region: id, epoch: 1, low: { x: low, y: -2000, z: -8000 }, high: { x: high, y: 2000, z: 8000 }, owner: id, costMs: 1,
    entities: count / 2, away: 0, changing: false,
  });
  const map = {
    clusterId: 1, version: '1', time: [{ wallUs: '0', tick: 0, tickRateHz: 60, ratePpm: 1_000_000 }],
    workers: [worker(0), worker(1)], gateways: [], regions: [region(0, -8000, 0), region(1, 0, 8000)], balance: true,
    failoverRecords: [], refused: [],
  };

  function observation(slot, now) {
    const view = new DataView(new ArrayBuffer(8 + (count / 2) * recordBytes));
    view.setUint8(0, 1);
    view.setUint8(1, slot);
    for (let i = 0; i < count / 2; ++i) {
      const at = 8 + i * recordBytes;
      const [ring, angle] = [300 + (i % 50) * 40, i * 0.7 + now / 9000];
      view.setUint32(at, 1 + slot * count + i, true);
      view.setFloat32(at + 12, (slot * 2 - 1) * 3000 + ring * Math.cos(angle), true);
      view.setFloat32(at + 16, 100 * Math.sin(i), true);
      view.setFloat32(at + 20, ring * Math.sin(angle), true);
      view.setInt16(at + 30, 32767, true);
    }
    return view.buffer;
  }

  const Real = window.WebSocket;
  window.WebSocket = class extends EventTarget {
    static OPEN = 1;
    readyState = 1;
    constructor(url) {
      super();
      if (!String(url).includes('/live')) return new Real(url);
      const say = (message) => this.onmessage?.({ data: JSON.stringify(message) });
      setTimeout(() => {
        this.onopen?.();
        say({ map });
        say({ kinds });
      });
      setInterval(() => [0, 1].forEach((slot) => this.onmessage?.({ data: observation(slot, performance.now()) })), 100);
    }
    send() {}
    close() {}
  };
}
