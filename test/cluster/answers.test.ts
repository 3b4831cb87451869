import { beforeAll } from 'vitest';
import { applyAnswers } from './answers/apply.ts';
import { applyStatusAnswers } from './answers/apply-status.ts';
import { createAnswers } from './answers/create.ts';
import { deleteAnswers } from './answers/delete.ts';
import { eventAnswers } from './answers/events.ts';
import { jobAnswers } from './answers/jobs.ts';
import { listAnswers } from './answers/list.ts';
import { ownerReferenceAnswers } from './answers/owner-references.ts';
import { patchAnswers } from './answers/patch.ts';
import { installCrd } from './answers/probe.ts';
import { quotaAnswers } from './answers/quota.ts';
import { validationAnswers } from './answers/validation.ts';
import { describeOnServer, sharedServer } from './support/with-server.ts';

/** Plain requests and what they get: the facts that the store on a cluster is built on. */
describeOnServer(
  'a real API server answers',
  () => {
    beforeAll(async () => {
      const server = await sharedServer();
      await installCrd(server, 'Probe', { hasStatus: true });
      await installCrd(server, 'Plain', { hasStatus: false });
    });

    applyStatusAnswers();
    applyAnswers();
    createAnswers();
    quotaAnswers();
    deleteAnswers();
    patchAnswers();
    listAnswers();
    eventAnswers();
    jobAnswers();
    ownerReferenceAnswers();
    validationAnswers();
  },
  { ownerReferencesPermissionEnforcement: true },
);
