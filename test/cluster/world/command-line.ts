import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Io, OpenedStore } from '#cli/io.ts';
import { keyOf } from '#core/object/key.ts';
import type { ObjectKey } from '#core/object/object.ts';
import { formatInstant, type Instant } from '#core/time/instant.ts';
import { openCluster } from '#store/cluster/open-cluster.ts';
import { type CliResult, runMinutehand } from '#test/support/run-cli.ts';

const MAIN = join(import.meta.dirname, '..', '..', '..', 'src', 'main.ts');

/** The command line as a process of its own. */
export function runProcess(argv: readonly string[], program = MAIN): Promise<CliResult> {
  const child = spawn(process.execPath, [program, ...argv], { env: { ...process.env, NO_COLOR: '1' } });
  const text = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (piece: string) => {
    text.stdout += piece;
  });
  child.stderr.setEncoding('utf8').on('data', (piece: string) => {
    text.stderr += piece;
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code: code ?? -1, ...text }));
  });
}

/** A write that is about to be sent. */
export interface Write {
  readonly verb: 'create' | 'apply' | 'annotate' | 'release' | 'spec' | 'delete';
  readonly key: ObjectKey;
}

export type BeforeWrite = (write: Write) => Promise<void> | void;

function watched(store: OpenedStore, before: BeforeWrite): OpenedStore {
  return {
    ...store,
    create: async (type, object) => {
      await before({ verb: 'create', key: keyOf(object) });
      return store.create(type, object);
    },
    applyStatus: async (type, key, precondition, fields, annotations) => {
      await before({ verb: 'apply', key });
      return store.applyStatus(type, key, precondition, fields, annotations);
    },
    annotate: async (type, key, precondition, annotations) => {
      await before({ verb: 'annotate', key });
      return store.annotate(type, key, precondition, annotations);
    },
    removeFinalizers: async (type, key, precondition, finalizers) => {
      await before({ verb: 'release', key });
      return store.removeFinalizers(type, key, precondition, finalizers);
    },
    setSpecField: async (type, key, precondition, path, value) => {
      await before({ verb: 'spec', key });
      return store.setSpecField(type, key, precondition, path, value);
    },
    delete: async (type, key, precondition, propagation) => {
      await before({ verb: 'delete', key });
      return store.delete(type, key, precondition, propagation);
    },
  };
}

/** The command line in this process, on a real connection; `before` can do something between two writes. */
export function runHere(argv: readonly string[], before: BeforeWrite = () => {}): Promise<CliResult> {
  const openWatched: Io['openCluster'] = async (request) => {
    const opened = await openCluster(request, { env: {}, clock: Date.now });
    return opened.ok ? { ok: true, store: watched(opened.store, before) } : opened;
  };
  return runMinutehand(argv, { openCluster: openWatched });
}

/** The flags of a tick at a time. */
export function tickAt(kubeconfig: string, now: Instant, ...more: readonly string[]): readonly string[] {
  return ['reconcile', '--kubeconfig', kubeconfig, '--now', formatInstant(now), ...more];
}
