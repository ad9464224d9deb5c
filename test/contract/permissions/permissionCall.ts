import type { DescMessage, DescMethod, MessageInitShape } from '@bufbuild/protobuf';
import { MethodOptions_IdempotencyLevel } from '@bufbuild/protobuf/wkt';
import type { Transport } from '@connectrpc/connect';
import { AuthorizationTable } from '../../../src/service/auth/authorizationTable';
import { bearerTransport, signInToken } from '../deployment';
import type { Fleet } from '../fleetFixture';
import { type CallResult, callRpc, toOutcomeLabel } from './callRpc';
import { machineToken, type PermissionFleet, SECRET_WORD } from './permissionFleet';
import type { Caller } from './permissionMatrix';
import { DATA_REQUESTS } from './dataRequests';
import { PACKAGE_REQUESTS } from './packageRequests';
import { PERMISSION_REQUESTS, role } from './permissionRequests';
import type { Resources } from './permissionResources';
import { TRAINING_REQUESTS } from './trainingRequests';

/** Further messages for uploads that are rejected if they contain only the first one. */
const CONTENTS: Readonly<Record<string, MessageInitShape<DescMessage>[] | undefined>> = {
  uploadModuleFile: [{ moduleFile: { case: 'file', value: Buffer.from('x') } }],
  createPackage: [{ package: { case: 'contents', value: Buffer.from('x') } }],
};

/** Returns true if a call doesn't change anything, so that multiple calls can share a fleet. */
export function isRead(method: DescMethod): boolean {
  return method.idempotency === MethodOptions_IdempotencyLevel.NO_SIDE_EFFECTS;
}

/**
 * Returns a request for an RPC that refers to these resources; if the RPC isn't supported yet, an
 * empty request.
 */
export function requestFor(
  method: DescMethod,
  resources: Resources,
): MessageInitShape<DescMessage> {
  const requests: Readonly<
    Record<string, ((about: Resources) => MessageInitShape<DescMessage>) | undefined>
  > = {
    ...PERMISSION_REQUESTS,
    ...DATA_REQUESTS,
    ...PACKAGE_REQUESTS,
    ...TRAINING_REQUESTS,
  };
  const build = requests[method.localName];
  if (build === undefined && new AuthorizationTable().ruleFor(method) !== undefined) {
    throw new Error(`${method.name} has no request`);
  }
  return build?.(resources) ?? {};
}

/** Returns a transport for a caller of the matrix. */
export async function createTransport(
  fleet: Fleet,
  made: PermissionFleet,
  caller: Caller,
): Promise<Transport> {
  return bearerTransport(fleet.deployment, await getToken(fleet, made, caller));
}

async function getToken(
  fleet: Fleet,
  made: PermissionFleet,
  caller: Caller,
): Promise<string | undefined> {
  const { organizationId, locationId, machineId } = made.resources;
  const holding = async (authorization: ReturnType<typeof role>): Promise<string> =>
    signInToken(fleet.deployment, await made.maker.createKey({ authorizations: [authorization] }));
  switch (caller) {
    case 'noToken':
      return undefined;
    case 'otherOwner': {
      const { organization } = await made.maker.createOrganization({ name: 'Strangers' });
      return holding(role('organization_owner', organization?.id ?? ''));
    }
    case 'operator':
      return holding(role('organization_operator', organizationId));
    case 'machineOwner':
      return holding(role('robot_owner', machineId));
    case 'locationOwner':
      return holding(role('location_owner', locationId));
    case 'machine':
      return machineToken(fleet, made);
    case 'owner':
      return holding(role('organization_owner', organizationId));
  }
}

/** Outcome of a call: a word of the matrix, and the result of the call. */
export interface PermissionOutcome extends CallResult {
  word: string;
}

/** Calls an RPC with a request that refers to the given resources. */
export async function callMethod(
  transport: Transport,
  method: DescMethod,
  resources: Resources,
): Promise<PermissionOutcome> {
  const request = requestFor(method, resources);
  const following = CONTENTS[method.localName] ?? [];
  const result = await callRpc(transport, method, [request, ...following]);
  const word = result.error === undefined ? toAnswerWord() : toOutcomeLabel(result.error);
  return { ...result, word };

  function toAnswerWord(): string {
    return isRead(method) && !revealsResources(result.answers, request, resources) ? 'empty' : 'ok';
  }
}

/** Returns true if a response contains information about the fleet that wasn't in its request. */
function revealsResources(answers: string, request: object, resources: Resources): boolean {
  const requestText = JSON.stringify(request);
  const ids = Object.values<string>({ ...resources }).filter((id) => !requestText.includes(id));
  const disclosures = [SECRET_WORD, '"permissions":', '"available":true', '"mongodbUri":', ...ids];
  return disclosures.some((text) => answers.includes(text));
}
