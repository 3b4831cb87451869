import { scheduleWords } from '#cli/completion/kind-words.ts';
import { readText } from '#cli/parsers.ts';

/** `KIND/NAME`, or the two as words of their own. */
export function objectWords(minimum: 0 | 1, proposeCompletions = scheduleWords) {
  return {
    kind: 'array',
    minimum,
    maximum: 2,
    parameter: {
      parse: readText,
      proposeCompletions,
      placeholder: 'KIND/NAME',
      brief:
        'Plural, singular, short name or kind.group, in any letter case; KIND NAME as two words is fine too',
    },
  } as const;
}
