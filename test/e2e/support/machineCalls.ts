import assert from 'node:assert/strict';

/** The credentials that a machine reads from its `/etc/viam.json`. */
export interface PartCredentials {
  /** The part's id. */
  id: string;
  secret: string;
}

/**
 * Whether the service asks a part to restart, as the part itself hears it: it signs in with its secret
 * and asks. A part that has heard of a restart and signs in anew has done it: so the answer is `true`
 * once for each restart that was asked for.
 */
export async function mustRestart(
  serviceUrl: string,
  { id, secret }: PartCredentials,
): Promise<boolean> {
  const call = async (path: string, request: unknown, headers: Record<string, string> = {}) => {
    const response = await fetch(`${serviceUrl}/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(request),
    });
    assert.equal(response.status, 200, path);
    return (await response.json()) as { accessToken?: string; mustRestart?: boolean };
  };
  const { accessToken } = await call('proto.rpc.v1.AuthService/Authenticate', {
    entity: id,
    credentials: { type: 'robot-secret', payload: secret },
  });
  const authorization = `Bearer ${accessToken}`;
  const answer = await call('viam.app.v1.RobotService/NeedsRestart', { id }, { authorization });
  return answer.mustRestart ?? false;
}
