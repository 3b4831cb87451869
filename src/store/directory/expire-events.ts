import type { KubeObject } from '#core/object/object.ts';
import { EVENT } from '#core/object/resource.ts';
import { parseInstant } from '#core/time/instant.ts';
import type { Session } from './session.ts';
import { kindFolder } from './state-path.ts';
import { StoreFailure } from './store-failure.ts';

const MAX_AGE_SECONDS = 7 * 24 * 3600;
/** A schedule that fires every minute leaves 10,000 events in a week: looking at all of them every time is too slow. */
const LOOKS = 256;

function isExpired(object: KubeObject, now: number): boolean {
  const times = [object.eventTime, object.metadata.creationTimestamp];
  const seen = times.flatMap((time) => (typeof time === 'string' ? [parseInstant(time)] : []));
  const at = seen.find((time) => time !== undefined);
  return at !== undefined && now - at > MAX_AGE_SECONDS;
}

/** Every path once in a number of turns; all of them when there are few. */
function share(paths: readonly string[], turn: number): readonly string[] {
  const turns = Math.ceil(paths.length / LOOKS);
  return turns <= 1 ? paths : paths.filter((_path, index) => index % turns === turn % turns);
}

/**
 * Drops events that are older than a week. Best effort: a failure here must not fail a tick that has done its work.
 * @param turn moves on from tick to tick and chooses which events are looked at
 */
export async function expireEvents(session: Session, turn: number): Promise<void> {
  const { reader, writer } = session;
  if (writer === undefined) return;
  try {
    const paths = share(await reader.pathsOfKind(kindFolder(EVENT.group, EVENT.kind)), turn);
    const stored = await reader.storedAt(paths);
    const expired = [...stored].flatMap(([path, file]) =>
      file.state === 'stored' && file.record.origin === 'store' && isExpired(file.record.object, session.now)
        ? [path]
        : [],
    );
    await writer.drop(expired);
  } catch (error) {
    if (!(error instanceof StoreFailure)) throw error;
  }
}
