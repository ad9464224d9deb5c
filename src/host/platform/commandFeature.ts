import { Disposable } from '../../base/disposable';
import type { Commands } from './commandRegistry';

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
