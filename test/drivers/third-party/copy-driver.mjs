// Carries out the orders of copy.example.net on a state folder, once: `node copy-driver.mjs STATE NOW`.
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

const [, , state, now] = process.argv;
const [core, own, mark] = ['backups.cozystack.io', 'copy.example.net', 'copy.example.net/backupjob-uid'];
const typeOf = ({ apiGroup, kind }) => `${apiGroup || 'apps.cozystack.io'}/${kind}`;
const fileOf = (type, space, name) => `${state}/${type.toLowerCase()}/${space}/${name}.json`;
const read = (file) => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined);
const write = (file, object) => {
  mkdirSync(file.slice(0, file.lastIndexOf('/')), { recursive: true });
  writeFileSync(`${file}.new`, JSON.stringify(object));
  renameSync(`${file}.new`, file);
};
function outcome({ apiVersion, kind, metadata, spec, status: { phase: was = '', startedAt } = {} }) {
  if (!['', 'Pending', 'Running'].includes(was) || metadata.deletionTimestamp) return [];
  const { name, namespace, uid, resourceVersion, creationTimestamp: made } = metadata;
  const isBackup = kind === 'BackupJob';
  const record = fileOf(`${core}/Backup`, namespace, isBackup ? name : spec.backupRef.name);
  const backup = read(record);
  const { applicationRef = backup?.spec.applicationRef, planRef, targetApplicationRef } = spec;
  const { kind: of, apiGroup, name: target } = targetApplicationRef ?? applicationRef ?? {};
  const type = typeOf({ kind: of, apiGroup: apiGroup || applicationRef?.apiGroup });
  const entries = read(fileOf(`${core}/BackupClass`, '_', spec.backupClassName))?.spec.strategies ?? [];
  const entry = entries.find((one) => typeOf(one?.application ?? {}) === type);
  const { strategyRef } = (isBackup ? entry : backup?.spec) ?? {};
  if (strategyRef?.apiGroup !== own || backup?.metadata.deletionTimestamp) return [];
  const backupRef = isBackup ? { name } : undefined;
  const done = ['Succeeded', kind.replace('Job', 'Completed'), 'copied', { completedAt: now, backupRef }];
  const fail = (message) => ['Failed', kind.replace('Job', 'Failed'), message, { completedAt: now, message }];
  const wait = (lack, phase = was, since = startedAt) =>
    Date.parse(now) - Date.parse(since) > 30 * 60_000 ? fail(`${lack} since ${since}`) : [phase, lack, since];
  if (strategyRef.kind !== 'CopyStrategy') return fail('the only kind of strategy is CopyStrategy');
  if (isBackup && backup) return backup.metadata.annotations?.[mark] === uid ? done : fail('NameConflict');
  if (!isBackup && backup.status?.phase === 'Failed') return fail('the Backup has failed');
  if (!isBackup && backup.status?.phase !== 'Ready') return wait('BackupNotReady', 'Pending', made);
  if (!startedAt) return ['Running', 'Starting', 'strategy and application are read', { startedAt: now }];
  if (!read(fileOf(`${own}/CopyStrategy`, '_', strategyRef.name))) return wait('StrategyNotReady');
  const place = fileOf(type, namespace, target);
  const application = read(place);
  if (!application) return wait('ApplicationNotReady');
  if (isBackup) {
    const driverMetadata = { [`${own}/copy`]: JSON.stringify(application.spec) };
    const taken = { applicationRef, planRef, strategyRef, takenAt: now, driverMetadata };
    const head = { name, namespace, uid: `${uid}-backup`, resourceVersion, annotations: { [mark]: uid } };
    write(record, { apiVersion, kind: 'Backup', metadata: head, spec: taken, status: { phase: 'Ready' } });
  } else write(place, { ...application, spec: JSON.parse(backup.spec.driverMetadata[`${own}/copy`]) });
  return done;
}
if (existsSync(`${state}/lock`)) process.exit(); // A tick is at work.
for (const path of globSync('{backupjob,restorejob}/*/*.json', { cwd: `${state}/${core}` })) {
  const order = read(`${state}/${core}/${path}`);
  while (true) {
    const { phase: was, conditions = [] } = order.status ?? {};
    const [phase, reason, message, more] = outcome(order);
    const old = conditions.find(({ type }) => type === 'Ready');
    if (phase === undefined || (phase === was && reason === old?.reason)) break;
    const status = phase === 'Succeeded' ? 'True' : 'False';
    const lastTransitionTime = old?.status === status ? old.lastTransitionTime : now;
    const ready = { type: 'Ready', status, reason, message, lastTransitionTime };
    const others = conditions.filter((condition) => condition !== old);
    order.status = { ...order.status, phase, ...more, conditions: [...others, ready] };
    write(`${state}/${core}/${path}`, order);
  }
}
