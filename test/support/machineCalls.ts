import assert from 'node:assert/strict';

/** The credentials that a machine reads from its `/etc/viam.json`. */
export interface PartCredentials {
  /** The part's ID. */
  id: string;
  secret: string;
}

/** The fields of a machine's config that the machine's software reads first. */
export interface MachineConfig {
  modules?: { name: string; moduleId: string; path: string }[];
  packages?: { name: string; package: string; version: string }[];
}

/**
 * Returns the config of a part as the part itself reads it, with fragments and packages resolved.
 */
export async function readMachineConfig(
  serviceUrl: string,
  part: PartCredentials,
): Promise<MachineConfig> {
  const { config = {} } = await callAsPart<{ config?: MachineConfig }>(serviceUrl, part, 'Config');
  return config;
}

/**
 * Returns true if the service requests a restart of a part. The part signs in with its secret and
 * polls. A part that signs in again after it received a restart request counts as restarted, so the
 * response is `true` once per request.
 */
export async function mustRestart(serviceUrl: string, part: PartCredentials): Promise<boolean> {
  const answer = await callAsPart<{ mustRestart?: boolean }>(serviceUrl, part, 'NeedsRestart');
  return answer.mustRestart ?? false;
}

/** Signs a part in with its secret and calls a method about the part. */
async function callAsPart<Answer>(
  serviceUrl: string,
  { id, secret }: PartCredentials,
  method: 'Config' | 'NeedsRestart',
): Promise<Answer> {
  const call = async (
    path: string,
    request: unknown,
    headers: Record<string, string> = {},
  ): Promise<unknown> => {
    const response = await fetch(`${serviceUrl}/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(request),
    });
    assert.equal(response.status, 200, path);
    return (await response.json()) as unknown;
  };
  const answer = await call('proto.rpc.v1.AuthService/Authenticate', {
    entity: id,
    credentials: { type: 'robot-secret', payload: secret },
  });
  const { accessToken = '' } = answer as { accessToken?: string };
  const authorization = `Bearer ${accessToken}`;
  return (await call(`viam.app.v1.RobotService/${method}`, { id }, { authorization })) as Answer;
}
