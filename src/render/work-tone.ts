import type { WorkState } from '#core/run/driver.ts';
import type { Tone } from '#render/palette.ts';

/** How the state of an order is coloured. */
export function toneOfWork(state: WorkState): Tone {
  switch (state) {
    case 'started':
    case 'succeeded':
      return 'good';
    case 'failed':
    case 'invalid':
    case 'unreadable':
      return 'bad';
    case 'pending':
    case 'waiting':
    case 'suspended':
    case 'releasing':
      return 'warning';
    case 'running':
    case 'foreign':
    case 'finished':
    case 'deleting':
    case 'observed':
      return 'faint';
  }
}
