/** What window.perigee says about the cockpit. */
import type { FlyHook } from '../hooks.js';
import type { Cockpit } from './cockpit.js';
import { settingOf, techniques } from './techniques.js';

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
      parent: own.parent, parentType: own.parentType ?? '', helm: own.helm, smoothing: cockpit!.picture.mine.smoothing,
    },
    scene: { entities: cockpit?.sceneCount ?? 0, types: cockpit?.picture.mine.typeCounts ?? {} },
    truth: { entities: cockpit?.picture.truth.count ?? 0, ownPositionM: cockpit?.trueOwnM },
    techniques: techniques.filter(({ key }) => cockpit?.off.has(key)).map((each) => settingOf(each, false)),
    link: cockpit?.link ?? 'none',
    outlinedFrames: cockpit?.outlinedFrames ?? 0,
    gap: failover?.gap && { ...failover.gap },
    split: cockpit?.choices.split ?? false,
  };
}
