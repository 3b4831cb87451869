import { stdout } from 'node:process';
import { startApiServer } from './api-server.ts';

/** Starts a server, prints what belongs to it as JSON, and leaves its end to whoever kills this process. */
const server = await startApiServer();
stdout.write(`${JSON.stringify({ pids: server.processes.map(({ pid }) => pid), folder: server.folder })}\n`);
