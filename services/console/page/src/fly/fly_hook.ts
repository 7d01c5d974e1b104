/** What window.perigee says about the cockpit. */
import * as THREE from 'three';
import type { FlyHook, ShipHook } from '../hooks.js';
import type { Cockpit } from './cockpit.js';
import { ActionCounts } from './action_counts.js';
import type { Picture } from './picture.js';
import { settingOf, techniques } from './techniques.js';
import { truePose } from './truth.js';

const carriers = new Set(['station', 'ferry', 'gyre', 'carousel', 'skiff', 'station_rotor']);
const nobody = new ActionCounts();

function ships({ own, mine }: Picture): ShipHook[] {
  const nowMs = performance.now();
  const trueOwn = truePose(own.handle, nowMs);
  const around = mine.bodies.filter(({ typeName }) => carriers.has(typeName));
  return around.toSorted((a, b) => a.position.lengthSq() - b.position.lengthSq()).map((body) => {
    const trueShip = trueOwn && truePose(body.handle, nowMs);
    return {
      handle: body.handle,
      type: body.typeName,
      positionM: body.position.toArray().map((side, i) => side + own.origin[i]!),
      rotation: body.rotation.toArray(),
      ownM: aboard(new THREE.Vector3(), body),
      trueOwnM: trueShip && aboard(trueOwn.position, trueShip),
    };
  });
}

function aboard(at: THREE.Vector3, ship: { position: THREE.Vector3; rotation: THREE.Quaternion }): number[] {
  return at.clone().sub(ship.position).applyQuaternion(ship.rotation.clone().invert()).toArray();
}

export function flyHook(cockpit: Cockpit | undefined): FlyHook {
  const own = cockpit?.picture.own;
  const telemetry = cockpit?.telemetry;
  const { failover, reaction } = cockpit ?? {};
  return {
    state: cockpit?.session.state ?? '',
    playerName: cockpit?.playerName ?? '',
    inputToEyeMs: { last: reaction?.lastMs ?? NaN, median: reaction?.medianMs ?? NaN, count: reaction?.count ?? 0 },
    frameMs: {
      wasmP50: cockpit?.wasmTimes.quantile(0.5) ?? NaN, wasmP99: cockpit?.wasmTimes.quantile(0.99) ?? NaN,
      totalP50: cockpit?.frameTimes.quantile(0.5) ?? NaN, totalP99: cockpit?.frameTimes.quantile(0.99) ?? NaN,
    },
    framesPerSecond: cockpit?.framesPerSecond ?? 0,
    telemetry: {
      rttMs: telemetry?.rttMs ?? NaN, fullLoopMs: telemetry?.fullLoopMs ?? NaN, jitterMs: telemetry?.jitterMs ?? NaN,
      corrections: telemetry?.corrections ?? 0, largestCorrectionM: telemetry?.largestCorrectionM ?? 0,
    },
    own: own?.local && {
      handle: own.handle, positionM: [...own.origin], localM: [...own.local], yawRad: cockpit!.controls.yawRad,
      look: cockpit!.picture.rig.direction.toArray(), parent: own.parent, parentType: own.parentType ?? '',
      helm: own.helm, smoothing: cockpit!.picture.mine.smoothing,
    },
    ships: cockpit ? ships(cockpit.picture) : [],
    actions: structuredClone((cockpit?.picture.actions ?? nobody).counts),
    hits: cockpit?.picture.actions.hits ?? 0,
    solidCells: [...(cockpit?.picture.mine.grounds.values() ?? [])].reduce((sum, each) => sum + each.solidCells, 0),
    scene: { entities: cockpit?.sceneCount ?? 0, types: cockpit?.picture.mine.typeCounts ?? {} },
    truth: { entities: cockpit?.picture.truth.count ?? 0, ownPositionM: cockpit?.trueOwnM },
    techniques: techniques.filter(({ key }) => cockpit?.off.has(key)).map((each) => settingOf(each, false)),
    link: cockpit?.link ?? 'none',
    outlinedFrames: cockpit?.outlinedFrames ?? 0,
    gap: failover?.gap && { ...failover.gap },
    split: cockpit?.choices.split ?? false,
  };
}
