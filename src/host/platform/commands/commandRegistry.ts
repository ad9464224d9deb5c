import type * as vscode from 'vscode';
import { Disposable, type DisposableLike, DisposableSet } from '../../../base/disposable';
import type { CommandArguments, CommandId } from '../../../manifest/commands';

/**
 * Handler for a command. If it returns a promise, the registry awaits it and presents any error.
 */
export type CommandHandler<K extends CommandId> = (...args: CommandArguments<K>) => unknown;

/** Interface that the registry offers to features. */
export interface Commands {
  register<K extends CommandId>(id: K, handler: CommandHandler<K>): DisposableLike;
  execute<K extends CommandId>(id: K, ...args: CommandArguments<K>): Promise<void>;
}

/** Shows an error to the user. `retry` repeats the failed action. Ignores cancellation. */
export type PresentError = (error: unknown, retry: () => void) => void;

/**
 * Checks whether a command can run with its arguments, and rejects if it can't. Returns undefined if
 * there is nothing to check.
 */
export type CheckCommand = (
  id: CommandId,
  args: readonly unknown[],
) => Promise<unknown> | undefined;

type CommandsApi = Pick<typeof vscode.commands, 'registerCommand' | 'executeCommand'>;

/** Central registry of commands, with typed arguments and consistent presentation of errors. */
export class CommandRegistry implements Commands, DisposableLike {
  private readonly registrations = new DisposableSet();

  constructor(
    private readonly api: CommandsApi,
    private readonly presentError: PresentError,
    private readonly check?: CheckCommand,
  ) {}

  dispose(): void {
    this.registrations.dispose();
  }

  register<K extends CommandId>(id: K, handler: CommandHandler<K>): DisposableLike {
    const run = async (...raw: unknown[]): Promise<void> => {
      try {
        const args = raw.map(unwrapTarget);
        const checking = this.check?.(id, args);
        if (checking) await checking;
        await handler(...(args as unknown as CommandArguments<K>));
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
 * Converts menu arguments to the targets that commands expect. A tree menu passes the item, and
 * also the whole selection if more than one item is selected.
 */
function unwrapTarget(argument: unknown): unknown {
  if (Array.isArray(argument)) return argument.flatMap(selectedTarget);
  return getTarget(argument) ?? argument;
}

/**
 * Returns a selected item's target. An item of a different kind than its target, such as the hint
 * in an empty location, doesn't represent the target, because the location was not selected.
 */
function selectedTarget(item: unknown): readonly unknown[] {
  const target = getTarget(item);
  if (target !== undefined) return getKind(target) === getKind(item) ? [target] : [];
  return isTarget(item) || isUri(item) ? [item] : [];
}

/** Returns true for a URI. The Explorer passes the URIs of the selected files. */
function isUri(item: unknown): boolean {
  return typeof item === 'object' && item !== null && 'scheme' in item && 'fsPath' in item;
}

/**
 * Returns true for a target. Other commands pass targets directly. Tree nodes without a resource
 * have no connection, so they aren't targets.
 */
function isTarget(item: unknown): boolean {
  return typeof item === 'object' && item !== null && 'connectionId' in item;
}

function getTarget(item: unknown): unknown {
  const carries = typeof item === 'object' && item !== null && 'target' in item;
  return (carries && item.target) || undefined;
}

function getKind(item: unknown): unknown {
  return typeof item === 'object' && item !== null && 'kind' in item ? item.kind : undefined;
}

/**
 * Base class for features that consist mostly of commands. Unregisters the commands on disposal.
 */
export abstract class CommandFeature extends Disposable {
  constructor(private readonly commands: Commands) {
    super();
  }

  protected readonly command: Commands['register'] = (id, handler) =>
    this.register(this.commands.register(id, handler));
}
