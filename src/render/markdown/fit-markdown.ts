import { grouped } from '#render/plural.ts';

/** What a comment tells of one object. All of it is Markdown already, with its own fences and details closed. */
export interface MarkdownSection {
  /** The most dangerous has the lowest; of equal ones the first that is given goes first. */
  readonly rank: number;
  /** The name, on one line. */
  readonly title: string;
  /** What stands under the title where there is room; one that has nothing there is shown by name. */
  readonly full: string;
  /** What stands behind the title, on the same line, where there is not; may be empty. */
  readonly brief: string;
}

export interface MarkdownComment {
  /** Of `commentMarker`. */
  readonly marker: string;
  /** Totals: the first lines, before all sections. None of them opens what another closes. */
  readonly head: string;
  readonly sections: readonly MarkdownSection[];
}

export interface FitOptions {
  /** In UTF-16 code units, which are never fewer than characters. Of GitHub unless given. */
  readonly limit?: number;
  /** Where the whole report is, as Markdown. */
  readonly fullReport?: string;
}

export interface FittedMarkdown {
  readonly body: string;
  /** How many sections are there in full, by name only, and not at all. */
  readonly shown: { readonly full: number; readonly brief: number; readonly leftOut: number };
}

const GITHUB_LIMIT = 65_536;
const BY_NAME = '### By name only\n\n';

const HEAD_CUT = '\n\nSome of these lines are left out, too.';

type Shown = FittedMarkdown['shown'];
type Form = 'full' | 'brief';

interface Piece {
  /** Absent where nothing would stand under the title. */
  readonly full: string | undefined;
  readonly brief: string;
}

function pieceOf({ title, full, brief }: MarkdownSection): Piece {
  const rest = brief === '' ? '' : `: ${brief}`;
  return {
    full: full.trim() === '' ? undefined : `### ${title}\n\n${full.trimEnd()}\n\n`,
    brief: `- ${title}${rest}`.replace(/[\r\n]+/g, ' ') + '\n',
  };
}

function noteOf({ full, brief, leftOut }: Shown, fullReport: string | undefined): string {
  const total = grouped(full + brief + leftOut);
  const where = fullReport === undefined ? '' : ` The full report: ${fullReport}`;
  return `> Too long for one comment: of ${total} objects ${grouped(full)} are shown in full, ${grouped(brief)} by name, and ${grouped(leftOut)} are left out.${where}\n\n`;
}

/** The lines that fit, in their order; one that is too long hides no other. */
function fittingLines(text: string, limit: number): string {
  if (text.length <= limit) return text;
  let left = limit - HEAD_CUT.length;
  const kept = text.split('\n').filter((line) => {
    const size = line.length + 1;
    if (size > left) return false;
    left -= size;
    return true;
  });
  return left < 0 ? '' : kept.join('\n') + HEAD_CUT;
}

function sum(sizes: readonly number[]): number {
  return sizes.reduce((total, size) => total + size, 0);
}

/**
 * The form of each piece, in the order of danger. Up to half of the room is kept for names: a reviewer is helped more
 * by many of them than by one more difference. What is too large for its turn is named, and the next one tried.
 */
function chooseForms(
  sizes: readonly { readonly [form in Form]: number }[],
  room: number,
): readonly (Form | undefined)[] {
  const names = Math.floor(room / 2);
  let left = room;
  let waiting = sum(sizes.map(({ brief }) => brief));
  const inFull = sizes.map(({ full, brief }) => {
    const fits = full <= left - Math.min(waiting - brief, names);
    if (fits) {
      left -= full;
      waiting -= brief;
    }
    return fits;
  });
  return sizes.map(({ brief }, index) => {
    if (inFull[index] === true) return 'full';
    if (brief > left) return undefined;
    left -= brief;
    return 'brief';
  });
}

function written(
  pieces: readonly Piece[],
  forms: readonly (Form | undefined)[],
): { readonly text: string; readonly shown: Shown } {
  const of = (form: Form): readonly string[] =>
    pieces.flatMap((piece, index) => (forms[index] === form ? (piece[form] ?? []) : []));
  const [full, brief] = [of('full'), of('brief')];
  const names = brief.length === 0 ? '' : BY_NAME + brief.join('');
  const leftOut = pieces.length - full.length - brief.length;
  return {
    text: full.join('') + names,
    shown: { full: full.length, brief: brief.length, leftOut },
  };
}

/**
 * The body of a comment that is never over the limit of the host: what is most dangerous in full, then names, then a
 * count of what is left out. It is cut between objects only, and equal input gives equal bytes.
 * @throws RangeError where the limit is below what stands around the sections, some hundred characters
 */
export function fitMarkdown(comment: MarkdownComment, options: FitOptions = {}): FittedMarkdown {
  const { limit = GITHUB_LIMIT, fullReport } = options;
  const pieces = [...comment.sections].sort((a, b) => a.rank - b.rank).map(pieceOf);
  const count = pieces.length;
  const startOf = (head: string): string => `${comment.marker}\n${head.trimEnd()}\n\n`;
  const whole = written(
    pieces,
    pieces.map(({ full }) => (full === undefined ? 'brief' : 'full')),
  );
  const body = startOf(comment.head) + whole.text;
  if (body.length <= limit) return { body: finish(body), shown: whole.shown };
  // No number in the note can be longer than these.
  const longestNote = noteOf({ full: count, brief: count, leftOut: count }, fullReport);
  const frame = (startOf('') + longestNote + BY_NAME).length;
  if (frame > limit) throw new RangeError(`a comment of ${limit} characters has no room for what frames it`);
  const start = startOf(fittingLines(comment.head, limit - frame));
  const room = limit - (start + longestNote + BY_NAME).length;
  const sizes = pieces.map(({ full, brief }) => ({
    full: full?.length ?? Number.POSITIVE_INFINITY,
    brief: brief.length,
  }));
  const { text, shown } = written(pieces, chooseForms(sizes, room));
  return { body: finish(start + noteOf(shown, fullReport) + text), shown };
}

function finish(body: string): string {
  return `${body.trimEnd()}\n`;
}
