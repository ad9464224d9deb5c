import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { get as getHttp } from 'node:http';
import { get as getHttps } from 'node:https';
import { text } from 'node:stream/consumers';
import { type HttpRoute, getRequestPath, rejectRequest } from '../server/http';
import { readServiceFile } from './serviceFile';

const IDENTITY_PATH = '/.fleetwright/identity';
const CHALLENGE = /^[0-9a-f]{32}$/;
const CHALLENGE_BYTES = 16;
const ANSWER_TIMEOUT_MS = 2_000;

/** Service that has just responded to an identity challenge. */
export interface RunningService {
  pid: number;
  url: string;
}

/** Returns a new key for `identityRoute`. Each process has its own key. */
export function newProofKey(): string {
  return randomBytes(32).toString('hex');
}

/**
 * Returns the route `GET /.fleetwright/identity?challenge=<32 hex digits>`, which responds with the
 * HMAC-SHA-256 of the challenge, computed with the proof key. This allows anyone who can read the
 * data directory to distinguish the service from another program that now uses its port.
 */
export function identityRoute(proofKey: string): HttpRoute {
  return (request, response) => {
    if (getRequestPath(request) !== IDENTITY_PATH) {
      return false;
    }
    const challenge = /[?&]challenge=([^&]*)/.exec(request.url ?? '')?.[1] ?? '';
    if (!CHALLENGE.test(challenge)) {
      rejectRequest(request, response, 400, 'A challenge with 32 hex digits is missing.');
    } else {
      response.end(computeProof(challenge, proofKey).toString('hex'));
    }
    return true;
  };
}

/**
 * Returns the service that is running on a data directory. The service must have a service file and
 * must respond.
 */
export async function findRunningService(directory: string): Promise<RunningService | undefined> {
  const file = await readServiceFile(directory);
  if (file?.url === undefined) {
    return undefined;
  }
  const challenge = randomBytes(CHALLENGE_BYTES).toString('hex');
  const expected = computeProof(challenge, file.proofKey);
  const proof = Buffer.from(await requestProof(file.url, challenge), 'hex');
  return proof.byteLength === expected.byteLength && timingSafeEqual(proof, expected)
    ? { pid: file.pid, url: file.url }
    : undefined;
}

function computeProof(challenge: string, proofKey: string): Buffer {
  return createHmac('sha256', proofKey).update(challenge).digest();
}

/**
 * Returns the service's response to a challenge; an empty string if the response is missing or
 * malformed.
 */
function requestProof(url: string, challenge: string): Promise<string> {
  const address = `${url}${IDENTITY_PATH}?challenge=${challenge}`;
  return new Promise((resolve) => {
    const resolveEmpty = (): void => {
      resolve('');
    };
    const options = {
      agent: false,
      timeout: ANSWER_TIMEOUT_MS,
      // The proof identifies the server, and no secret is sent. The certificate can therefore be
      // self-signed.
      rejectUnauthorized: false,
    };
    const get = url.startsWith('https:') ? getHttps : getHttp;
    const request = get(address, options, (response) => {
      text(response).then(resolve, resolveEmpty);
    });
    request.once('error', resolveEmpty);
    request.once('timeout', () => request.destroy());
  });
}
