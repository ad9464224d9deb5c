import { get } from 'node:http';
import { FleetError } from '../../../core/api/errors';
import type { DisposableLike } from '../../../base/disposable';

const LEASE_PATH = '/.fleetwright/lease';

/** This window's lease on the running service, valid while the connection is open. */
export interface ServiceLease extends DisposableLike {
  /** Resolves when the service has ended the lease, which happens when the service stops. */
  readonly ended: Promise<void>;
}

/** Takes a lease. Throws `unavailable` if the service doesn't grant one. */
export function takeLease(url: string, token: string): Promise<ServiceLease> {
  return new Promise((resolve, reject) => {
    const fail = (cause: unknown): void => {
      const message = "The local fleet isn't responding.";
      reject(new FleetError('unavailable', message, { cause, action: 'startLocalFleet' }));
    };
    const request = get(
      `${url}${LEASE_PATH}`,
      { agent: false, headers: { authorization: `Bearer ${token}` } },
      (response) => {
        if (response.statusCode !== 200) {
          request.destroy();
          fail(new Error(`status ${String(response.statusCode)}`));
          return;
        }
        response.resume();
        resolve({
          ended: new Promise((end) => response.once('close', end)),
          dispose: () => request.destroy(),
        });
      },
    );
    request.once('error', fail);
  });
}
