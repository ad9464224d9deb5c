import type { DatabaseSignIn } from '../databaseSignIn';
import { MongoError } from '../mongoError';
import type { Command, CommandCall } from './command';
import { cursorCommands } from './cursorCommands';
import { cursorQueries, type QueryDependencies } from './cursorQueries';
import { handshakeCommands } from './handshake';
import { explainCommands } from './explain';
import { informationCommands } from './information';
import { createUnsupportedError } from './refusedCommands';
import { statisticsCommands } from './statistics';
import { valueQueries } from './valueQueries';

export interface CommandDependencies extends QueryDependencies {
  signIn: DatabaseSignIn;
}

/** All supported commands by name. */
export class CommandTable {
  readonly #forAnybody: ReadonlyMap<string, Command<CommandCall>>;
  readonly #forUsers: ReadonlyMap<string, Command>;

  constructor(dependencies: CommandDependencies) {
    const { signIn, queries, cursors } = dependencies;
    this.#forAnybody = new Map(Object.entries(handshakeCommands(signIn)));
    this.#forUsers = new Map(
      Object.entries({
        ...informationCommands(queries),
        ...statisticsCommands(queries),
        ...explainCommands(queries),
        ...cursorQueries(dependencies),
        ...cursorCommands(cursors),
        ...valueQueries(queries),
      }),
    );
  }

  /**
   * Returns the command with a given name if it doesn't require a user; otherwise, returns
   * undefined.
   */
  forAnybody(name: string): Command<CommandCall> | undefined {
    return this.#forAnybody.get(name);
  }

  /** @throws MongoError that explains why the command doesn't exist. */
  forUsers(name: string): Command {
    const command = this.#forUsers.get(name);
    if (command === undefined) {
      throw createUnsupportedError(name);
    }
    return command;
  }
}

/** Returns the error for running a command that requires a user on a connection without one. */
export function signInFirst(name: string): MongoError {
  return new MongoError('Unauthorized', `command ${name.slice(0, 100)} requires authentication`);
}
