import type { Connection } from '../../core/model/connection';

/**
 * Waits for a new connection and introduces the person to the fleet, if it is their first.
 * @param connect returns undefined when it made no new connection
 * @returns the result of `connect`, whether or not the introduction succeeds
 * @throws only what `connect` throws
 */
export type Introduce = <T extends Connection | undefined>(connect: () => Promise<T>) => Promise<T>;
