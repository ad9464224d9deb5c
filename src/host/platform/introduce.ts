import type { Connection } from '../../core/model/connection';

/**
 * Waits for a new connection and introduces the person to the fleet, if it is their first.
 * @param connect returns undefined when it made no new connection
 */
export type Introduce = (connect: () => Promise<Connection | undefined>) => Promise<void>;
