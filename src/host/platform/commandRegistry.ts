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

/**
 * Menus of tree items pass the item, and all that is selected when it is one of several; commands
 * want what these stand for.
 */
function unwrapTarget(argument: unknown): unknown {
  if (Array.isArray(argument)) return argument.flatMap(selectedTarget);
  return targetOf(argument) ?? argument;
}

/**
 * What a selected item stands for. One that is of another kind than its target, such as the hint that
 * a location is empty, only stands near it: it was not the location that was selected.
 */
function selectedTarget(item: unknown): readonly unknown[] {
  const target = targetOf(item);
  if (target !== undefined) return kindOf(target) === kindOf(item) ? [target] : [];
  return isTarget(item) || isUri(item) ? [item] : [];
}

/** The explorer hands over the files that are selected. */
function isUri(item: unknown): boolean {
  return typeof item === 'object' && item !== null && 'scheme' in item && 'fsPath' in item;
}

/** Another command hands over targets themselves. Nodes that stand for nothing have no connection. */
function isTarget(item: unknown): boolean {
  return typeof item === 'object' && item !== null && 'connectionId' in item;
}

function targetOf(item: unknown): unknown {
  const carries = typeof item === 'object' && item !== null && 'target' in item;
  return (carries && item.target) || undefined;
}

function kindOf(item: unknown): unknown {
  return typeof item === 'object' && item !== null && 'kind' in item ? item.kind : undefined;
}
