import type { Change, DeleteReason, WorkDeleteReason, WorkReleaseReason } from '#core/change/change.ts';
import { statusDiff } from '#core/change/change-document.ts';
import { newMask } from '#core/change/mask.ts';
import type { WorkChange } from '#core/change/work-change.ts';
import type { KubeObject } from '#core/object/object.ts';
import { conditionLines } from '#render/condition-text.ts';
import { diffText } from '#render/diff-text.ts';
import { escapeText } from '#render/escape-text.ts';
import { maskedText } from '#render/masked-text.ts';
import { objectText } from '#render/object-text.ts';
import type { Tone } from '#render/palette.ts';

/** A change for people: a sign, a verb, and one line or several. */
export interface ChangeText {
  readonly label: string;
  readonly tone: Tone;
  readonly lines: readonly string[];
}

function deletedBecause(reason: DeleteReason | WorkDeleteReason): string {
  switch (reason) {
    case 'Replaced':
      return 'it makes room for the new run';
    case 'HistoryLimit':
      return 'it is beyond the history limit';
    case 'TimeToLive':
      return 'its time to live is over';
    case 'Retention':
      return 'its policy keeps enough newer ones';
    case 'WorkSurplus':
      return 'there are more than are wanted';
    case 'WorkSuspended':
      return 'what it belongs to is suspended';
    case 'WorkEnded':
      return 'what it belongs to is decided';
  }
}

function releasedBecause(reason: WorkReleaseReason): string {
  switch (reason) {
    case 'FinalizerDone':
      return 'nothing is left to clean';
    case 'WorkCounted':
      return 'nothing more is to be counted of it';
    case 'WorkDropped':
      return 'it is given up, and counted nowhere';
  }
}

function member(object: KubeObject, key: string): string {
  const value = object[key];
  return typeof value === 'string' ? maskedText(value) : '';
}

export function changeText(change: Change | WorkChange): ChangeText {
  switch (change.verb) {
    case 'create':
      return { label: '+ create', tone: 'good', lines: [objectText(change.key)] };
    case 'delete':
      return {
        label: '- delete',
        tone: 'bad',
        lines: [`${objectText(change.key)}: ${deletedBecause(change.reason)}`],
      };
    case 'annotate': {
      const names = Object.keys(change.annotations).map(escapeText).join(', ');
      return {
        label: '~ annotate',
        tone: 'warning',
        lines: [`${objectText(change.key)}: ${names} is taken off, since it lives on`],
      };
    }
    case 'apply': {
      const diffs = statusDiff(change, newMask());
      return {
        label: '~ status',
        tone: 'warning',
        lines: [
          ...(change.precondition === undefined ? [objectText(change.key)] : []),
          ...diffs
            .filter(({ path }) => !/^\/status\/conditions(?:\/|$)/.test(path))
            .map((diff) => diffText(diff, change.before, change.fields)),
          ...conditionLines(change.before, change.fields),
        ],
      };
    }
    case 'release': {
      const names = change.finalizers.map(escapeText).join(', ');
      return {
        label: '~ release',
        tone: 'warning',
        lines: [
          `${objectText(change.key)}: the finalizer ${names} is taken off, ${releasedBecause(change.reason)}`,
        ],
      };
    }
    case 'event': {
      const { object } = change;
      const line = `${member(object, 'type')} ${member(object, 'reason')}: ${member(object, 'note')}`;
      return { label: '* event', tone: 'faint', lines: [line] };
    }
  }
}
