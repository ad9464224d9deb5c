import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { create, toBinary } from '@bufbuild/protobuf';
import { createClient } from '@connectrpc/connect';
import { createGrpcTransport, Http2SessionManager } from '@connectrpc/connect-node';
import { AppService } from '../src/gen/viam/app/v1/app_pb';
import {
  type GetRobotPartResponse,
  GetRobotPartRequestSchema,
  GetRobotPartResponseSchema,
} from '../src/gen/viam/app/v1/machine_pb';
import { type ServiceKey, signIn } from '../test/support/serviceClients';
import { readJson, ServiceProgram } from '../test/support/serviceProgram';
import { startChildServer } from './support/childServer';
import { median, quickOrFull, report, runBenchmark } from './support/figures';
import { callsPerSecond, type UnaryCall } from './support/unaryLoad';

const CALLERS = 32;
const WARM_UP_MS = quickOrFull(2_000, 3_000);
/**
 * Duration of a round. Many short rounds are run, so that other load affects both servers equally.
 */
const ROUND_MS = 400;
const ROUNDS = quickOrFull(9, 25);

/**
 * Returns a part of the demo fleet whose config has a typical size, in the form that the service
 * returns.
 */
async function choosePart(url: string, authorization: string): Promise<GetRobotPartResponse> {
  const sessionManager = new Http2SessionManager(url);
  const client = createClient(AppService, createGrpcTransport({ baseUrl: url, sessionManager }));
  const headers = { authorization };
  try {
    const { organizations } = await client.listOrganizations({}, { headers });
    const parts: GetRobotPartResponse[] = [];
    for (const { id: organizationId } of organizations) {
      const { locations } = await client.listLocations({ organizationId }, { headers });
      for (const { id: locationId } of locations) {
        const { robots } = await client.listRobots({ locationId }, { headers });
        for (const { id: robotId } of robots) {
          const answer = await client.getRobotParts({ robotId }, { headers });
          for (const { id } of answer.parts) {
            parts.push(await client.getRobotPart({ id }, { headers }));
          }
        }
      }
    }
    parts.sort((a, b) => a.configJson.length - b.configJson.length);
    const middle = parts[Math.floor(parts.length / 2)];
    if (middle === undefined) throw new Error('The demo fleet has no parts.');
    return middle;
  } finally {
    sessionManager.abort();
  }
}

/**
 * Measures GetRobotPart in the whole service, compared with a server without logic that returns the
 * same message.
 *
 * The aim is 0.4, because the additional work consists of many small steps, each of which a check
 * requires: five statements to verify the token, the permission, and the size, and to read the part
 * and its secrets (13 %), garbage collection (9 %), decryption of the secrets (4 %), verification of
 * the token's signature (3 %), limits for the request body (4 %), and the exceptions that aborted
 * signals create, most of them in the library (6 %). The rest is also in the bare server: the
 * library's generators and headers, Protobuf, and HTTP/2.
 */
async function main(): Promise<void> {
  await using program = await ServiceProgram.build();
  const ready = await program.serve('--ephemeral', '--demo', '--demo-machines', 'still').ready;
  if (ready === undefined) throw new Error('The service did not start.');
  const authorization = `Bearer ${await signIn(readJson(ready.credentialsFile) as ServiceKey)}`;
  const answer = await choosePart(ready.url, authorization);
  const bytes = toBinary(GetRobotPartResponseSchema, answer);
  const file = join(program.folder, 'answer.bin');
  writeFileSync(file, bytes);
  const echo = await startChildServer('echoServer.ts', file);

  const id = answer.part?.id ?? '';
  const call: UnaryCall = {
    path: `/${AppService.typeName}/${AppService.method.getRobotPart.name}`,
    message: toBinary(GetRobotPartRequestSchema, create(GetRobotPartRequestSchema, { id })),
    authorization,
  };
  const rates: { ours: number[]; bare: number[] } = { ours: [], bare: [] };
  try {
    await callsPerSecond(ready.url, call, CALLERS, WARM_UP_MS);
    await callsPerSecond(echo.url, call, CALLERS, WARM_UP_MS);
    for (let round = 0; round < ROUNDS; round += 1) {
      rates.ours.push(await callsPerSecond(ready.url, call, CALLERS, ROUND_MS));
      rates.bare.push(await callsPerSecond(echo.url, call, CALLERS, ROUND_MS));
    }
  } finally {
    echo.stop();
  }
  const ratios = rates.ours.map((ours, round) => ours / (rates.bare[round] ?? NaN));
  report({
    name: 'unary GetRobotPart calls per second',
    ratio: median(ratios),
    against: 'a bare connect-node server that answers the same message',
    aim: '>= 0.4',
    callsPerSecond: Math.round(median(rates.ours)),
    bareCallsPerSecond: Math.round(median(rates.bare)),
    answerBytes: bytes.byteLength,
    callers: CALLERS,
  });
}

runBenchmark(main);
