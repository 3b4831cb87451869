import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import { isAbsence, unreadable } from './files/file-fault.ts';
import { type OpenedCommit, openCommit, type RevisionPlace } from './git/open-commit.ts';
import { pathInCommit } from './git/path-in-commit.ts';
import { writeCommit } from './git/write-commit.ts';
import { type RevisionManifests, unreadRevision } from './git-revision.ts';
import { type KustomizationRequest, readKustomization } from './kustomization.ts';
import { absentFolder } from './manifests.ts';
import type { Fault } from './text/problem.ts';

export type RevisionKustomizationRequest = RevisionPlace & Pick<KustomizationRequest, 'dir' | 'timeoutMs'>;

/**
 * Reads what a kustomization builds at a Git revision: its files are written to a temporary folder outside of the
 * repository, built there, and removed again. A folder that the revision does not have builds nothing, which is no
 * fault by itself: a branch may bring it in.
 */
export async function readRevisionKustomization(
  request: RevisionKustomizationRequest,
): Promise<RevisionManifests> {
  const opened = await openCommit(request);
  if ('fault' in opened) return unreadRevision(opened.fault);
  const found = folderIn(opened, request);
  if (found === 'absent') return { ...absentFolder(request.dir), commit: opened.commit.id };
  if (typeof found !== 'string') return unreadRevision(found);
  const folder = await mkdtemp(join(await realpath(tmpdir()), 'minutehand-revision-'));
  try {
    const fault = await writeCommit(opened, folder, request);
    if (fault !== undefined) return unreadRevision(fault);
    const { env, timeoutMs } = request;
    const manifests = await readKustomization({
      dir: posix.relative('/', found) || '.',
      cwd: folder,
      ...(env === undefined ? {} : { env }),
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
    });
    const diagnostics = manifests.diagnostics.map((one) => ({
      ...one,
      what: withoutFolder(one.what, folder),
    }));
    return { ...manifests, diagnostics, commit: opened.commit.id };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** What the builder says names files by where they were for a moment. */
function withoutFolder(text: string, folder: string): string {
  return text.replaceAll(`${folder}/`, '').replaceAll(folder, '.');
}

function folderIn(
  { commit, tree }: OpenedCommit,
  { revision, dir, cwd }: RevisionKustomizationRequest,
): string | Fault | 'absent' {
  const path = pathInCommit(dir, commit, cwd);
  try {
    const resolved = path === undefined ? undefined : tree.resolve(path);
    if (resolved !== undefined) return resolved;
  } catch (error) {
    if (isAbsence(error)) return 'absent';
    return unreadable(`${revision}:${path?.slice(1) ?? dir}`, error);
  }
  const fix = 'name a folder of the repository that the working directory is in';
  return { code: 'BuildFailed', what: `${dir} leads out of the repository`, fix };
}
