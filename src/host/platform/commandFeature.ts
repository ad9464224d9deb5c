import { Disposable } from '../../base/disposable';
import type { Commands } from './commandRegistry';

/** Base class of features that are mostly commands, which end with them. */
export abstract class CommandFeature extends Disposable {
  constructor(private readonly commands: Commands) {
    super();
  }

  protected readonly command: Commands['register'] = (id, handler) =>
    this.register(this.commands.register(id, handler));
}
