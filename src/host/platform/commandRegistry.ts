import type * as vscode from 'vscode';
import { type DisposableLike, DisposableSet } from '../../base/disposable';
import type { CommandArguments, CommandId } from '../../manifest/commands';

/** What runs when a command is called. A promise is awaited and its failure presented. */
export type CommandHandler<K extends CommandId> = (...args: CommandArguments<K>) => unknown;

/** The part of the registry that features need. */
export interface Commands {
  register<K extends CommandId>(id: K, handler: CommandHandler<K>): DisposableLike;
  execute<K extends CommandId>(id: K, ...args: CommandArguments<K>): Promise<void>;
}

/** Shows a failure to the person; `retry` repeats what failed. Says nothing about cancellation. */
export type PresentError = (error: unknown, retry: () => void) => void;

type CommandsApi = Pick<typeof vscode.commands, 'registerCommand' | 'executeCommand'>;

/** The one place that registers commands: typed arguments, and failures presented the same way. */
export class CommandRegistry implements Commands, DisposableLike {
  private readonly registrations = new DisposableSet();

  constructor(
    private readonly api: CommandsApi,
    private readonly presentError: PresentError,
  ) {}

  dispose(): void {
    this.registrations.dispose();
  }

  register<K extends CommandId>(id: K, handler: CommandHandler<K>): DisposableLike {
    const run = async (...raw: unknown[]): Promise<void> => {
      try {
        await handler(...(raw.map(unwrapTarget) as unknown as CommandArguments<K>));
      } catch (error) {
        this.presentError(error, () => void run(...raw));
      }
    };
    return this.registrations.add(this.api.registerCommand(id, run));
  }

  async execute<K extends CommandId>(id: K, ...args: CommandArguments<K>): Promise<void> {
    await this.api.executeCommand(id, ...args);
  }
}

/** Menus of tree items pass the item; commands want what it stands for. */
function unwrapTarget(argument: unknown): unknown {
  const carriesTarget =
    typeof argument === 'object' && argument !== null && 'target' in argument && argument.target;
  return carriesTarget ? argument.target : argument;
}
