import assert from 'node:assert/strict';

/** The credentials that a machine reads from its `/etc/viam.json`. */
export interface PartCredentials {
  /** The part's id. */
  id: string;
  secret: string;
}

/** What of a machine's config its software reads first. */
export interface MachineConfig {
  modules?: { name: string; moduleId: string; path: string }[];
  packages?: { name: string; package: string; version: string }[];
}

/** The config of a part as the part itself reads it, with its fragments and packages in place. */
export async function readMachineConfig(
  serviceUrl: string,
  part: PartCredentials,
): Promise<MachineConfig> {
  const { config = {} } = await callAsPart<{ config?: MachineConfig }>(serviceUrl, part, 'Config');
  return config;
}

/**
 * Whether the service asks a part to restart, as the part itself hears it: it signs in with its secret
 * and asks. A part that has heard of a restart and signs in again has done it: so the answer is `true`
 * once for each restart that was asked for.
 */
export async function mustRestart(serviceUrl: string, part: PartCredentials): Promise<boolean> {
  const answer = await callAsPart<{ mustRestart?: boolean }>(serviceUrl, part, 'NeedsRestart');
  return answer.mustRestart ?? false;
}

/** Signs a part in with its secret, and calls a method about itself. */
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
