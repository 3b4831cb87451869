import { holderText } from '#core/holder-text.ts';
import { formatInstant, instant, parseInstant } from '#core/time/instant.ts';
import type { Recorded, Tenure, Watermark } from '#store/port.ts';
import type { WatermarkWorld } from '#test/store/watermark-contract.ts';

const LIFETIME_MS = 15_000;

interface Place {
  now: number;
  text: string | undefined;
  holder: string | undefined;
  since: number;
  renewed: number;
  alive: boolean;
}

function recordedIn({ text }: Place): Recorded {
  if (text === undefined) return { state: 'none' };
  const at = parseInstant(text);
  return at === undefined ? { state: 'unreadable', text } : { state: 'at', at };
}

function tenureIn(place: Place, holder: string): Tenure {
  return {
    recorded: recordedIn(place),
    isLost: () => place.holder !== holder || place.now - place.renewed >= LIFETIME_MS,
    release: async (completed) => {
      if (place.holder !== holder)
        return { ok: false, message: `it was taken over by ${holderText(place.holder ?? 'nobody')}` };
      place.holder = undefined;
      if (completed !== undefined) place.text = formatInstant(completed);
      return { ok: true };
    },
  };
}

/** A watermark without any server, for tests; it passes the same contract as that of a cluster. */
export function memoryWatermark(startMs = 0): WatermarkWorld {
  const place: Place = {
    now: startMs,
    text: undefined,
    holder: undefined,
    since: startMs,
    renewed: startMs,
    alive: true,
  };
  const open = (holder: string): Watermark => ({
    description: 'memory',
    take: async () => {
      const until = place.renewed + LIFETIME_MS;
      if (place.holder !== undefined && place.holder !== holder && until > place.now) {
        const by = {
          name: holderText(place.holder),
          since: instant(place.since / 1000),
          until: instant(until / 1000),
        };
        return { state: 'held', by };
      }
      Object.assign(place, { holder, since: place.now, renewed: place.now });
      return { state: 'taken', tenure: tenureIn(place, holder) };
    },
  });
  return {
    open,
    pass: async (seconds) => {
      place.now += seconds * 1000;
      if (place.alive) place.renewed = place.now;
    },
    killAll: () => {
      place.alive = false;
    },
    record: async (text) => {
      place.text = text;
    },
    end: async () => undefined,
  };
}
