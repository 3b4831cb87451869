import { keyId } from '#core/object/key.ts';
import type { ObjectKey } from '#core/object/object.ts';

/** What one tick may still start per repository or cluster. */
export interface LaneRoom {
  /** The first of these that has no room left. */
  readonly full: (lanes: readonly ObjectKey[]) => ObjectKey | undefined;
  readonly take: (lanes: readonly ObjectKey[]) => void;
}

/** @param most creates per lane */
export function laneRoom(most: number): LaneRoom {
  const taken = new Map<string, number>();
  const used = (lane: ObjectKey): number => taken.get(keyId(lane)) ?? 0;
  return {
    full: (lanes) => lanes.find((lane) => used(lane) >= most),
    take: (lanes) => {
      for (const lane of lanes) taken.set(keyId(lane), used(lane) + 1);
    },
  };
}
