import type { Connection } from '../../core/model/connection';

/**
 * Waits for a new connection and, if it is the user's first, introduces the user to the fleet.
 * @param connect returns undefined if it didn't create a new connection
 * @returns the result of `connect`, even if the introduction fails
 * @throws only the errors of `connect`
 */
export type Introduce = <T extends Connection | undefined>(connect: () => Promise<T>) => Promise<T>;
