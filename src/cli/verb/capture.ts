import { capturedConfig } from '#cli/captured-config.ts';
import type { CaptureVerbFlags } from '#cli/command/capture.ts';
import { EXIT, type ExitCode } from '#cli/exit-code.ts';
import { type Input, NO_INPUT } from '#cli/input.ts';
import type { Io } from '#cli/io.ts';
import { readingCode } from '#cli/outcome.ts';
import { parseCapture } from '#cli/parse-capture.ts';
import { readSelector } from '#cli/parsers.ts';
import { originOf } from '#cli/place.ts';
import { reportDiagnostics } from '#cli/report.ts';
import { selectionOf } from '#cli/select.ts';
import { readSettings } from '#cli/settings.ts';
import { noteUnusedState } from '#cli/state-folder.ts';
import { decideTick, type Tick, unreachableDiagnostics, wholeChangeSet } from '#cli/tick.ts';
import { tellUnreachable } from '#cli/unreachable.ts';
import { VERSION } from '#cli/version-number.ts';
import { type Objects, withObjects } from '#cli/with-objects.ts';
import type { Capture } from '#core/capture/capture.ts';
import { type RedactedCapture, toCaptureDocument } from '#core/capture/document.ts';
import type { ChangeSet } from '#core/change/change-set.ts';
import { toDocument } from '#core/change/document.ts';
import type { Diagnostic } from '#core/diagnostic.ts';
import { typeId } from '#core/observed.ts';
import { toJson } from '#render/json.ts';
import { plural } from '#render/plural.ts';
import { recordingStore } from '#store/recording-store.ts';
import { replayStore } from '#store/replay-store.ts';

const READ_IT =
  'names, labels, images, commands and whatever does not look secret are in the file: read it before you send it';

interface Decision {
  readonly tick: Tick;
  readonly changeSet: ChangeSet;
}

function planOf({ changeSet }: Decision): string {
  return toJson(toDocument(changeSet));
}

/** What `plan --from` makes of the file, without any flag. */
async function replayed(
  text: string,
  io: Io,
  flags: CaptureVerbFlags,
): Promise<Decision | readonly Diagnostic[]> {
  const read = parseCapture('the capture', text);
  if (!read.ok) return read.diagnostics;
  const { capture, config } = read;
  const { origin, now, findings } = capture;
  const settings = await readSettings({ 'no-color': flags['no-color'] }, origin, io, config);
  if (settings === undefined) return [];
  const store = replayStore(capture, 'the capture');
  const selection = selectionOf({ 'all-namespaces': false }, config);
  const tick = await decideTick(store, { ...settings, selection, now });
  const input: Input = { ...NO_INPUT, diagnostics: findings.input };
  return { tick, changeSet: wholeChangeSet(tick, input) };
}

/** The objects that events are told about. */
function ownersOf({ kinds, drivers }: Objects): ReadonlySet<string> {
  return new Set(
    [...kinds.map(({ resource }) => resource), ...drivers.flatMap(({ orders }) => orders)].map(typeId),
  );
}

async function textOf({ document }: RedactedCapture, output: CaptureVerbFlags['output']): Promise<string> {
  return output === 'json' ? toJson(document) : (await import('#render/yaml.ts')).toYaml(document);
}

function tellContents(masked: number, same: boolean, io: Io): void {
  const values = masked === 0 ? 'nothing looked secret' : `${plural(masked, 'value')} masked`;
  io.stderr.write(`note: ${values}; ${READ_IT}\n`);
  if (same) return;
  io.stderr.write(
    'warning: the plan of this file is not that of its source, byte by byte: a value that is masked takes part in it\n',
  );
}

async function write(objects: Objects, flags: CaptureVerbFlags, io: Io): Promise<ExitCode> {
  const { input, now, config, place } = objects;
  const { selector, ...others } = flags;
  const parsed = selector === undefined ? {} : { selector: readSelector(selector) };
  const selection = selectionOf({ ...others, ...parsed }, config);
  const recorder = recordingStore(objects.store);
  const tick = await decideTick(recorder.store, { ...objects, selection });
  if (place.kind === 'cluster' && tick.unreachable)
    return tellUnreachable(unreachableDiagnostics(tick), flags, io);
  const changeSet = wholeChangeSet(tick, input);
  const capture: Capture = {
    ...recorder.recording(),
    program: VERSION,
    now,
    origin: place.kind === 'capture' ? place.origin : originOf(place, flags.state),
    config: await capturedConfig(flags, io),
    findings: { input: input.diagnostics, store: tick.diagnostics },
    failedReads: input.failedReads,
  };
  const redacted = toCaptureDocument(capture, ownersOf(objects));
  const text = await textOf(redacted, flags.output);
  const again = await replayed(text, io, flags);
  if (!('tick' in again)) {
    await reportDiagnostics(again, { io, flags, stdin: undefined, elsewhere: true });
    return EXIT.failed;
  }
  io.stdout.write(text);
  const told = changeSet.diagnostics.filter(
    ({ code }) => code === 'ListUnreadable' || code === 'FileUnreadable',
  );
  await reportDiagnostics(told, { io, flags, stdin: input.stdin });
  const same = planOf(again) === planOf({ tick, changeSet });
  tellContents(redacted.masked, same, io);
  const failedReads = input.failedReads || tick.failedReads;
  const code = readingCode({ changeSet, diagnostics: changeSet.diagnostics, failedReads });
  return code === EXIT.done && !same ? EXIT.partly : code;
}

/** Writes what a tick reads into one file, which `--from` takes in the place of its source. */
export async function capture(flags: CaptureVerbFlags, io: Io): Promise<ExitCode> {
  const { selector: _text, output: _output, ...others } = flags;
  return withObjects({ flags: others, io }, async (objects) => {
    const code = await write(objects, flags, io);
    if (objects.place.kind === 'files') await noteUnusedState(flags.state, io);
    return code;
  });
}
