import * as vscode from 'vscode';
import {
  isTargetOf,
  type MachineTarget,
  type PartTarget,
  type RegistryItemTarget,
} from '../../../core/model/resourceTarget';
import {
  isPartAddress,
  parseDocumentAddress,
  parseResolvedAddress,
  type PartAddress,
} from '../documents/documentUris';

/** Deployment target: a machine, a part, or the part whose config is open. */
export type DeployTarget = MachineTarget | PartTarget | PartAddress;

/** Arguments for a deployment command: the item, its version, and the target. */
export interface DeploySubject {
  /** Registry item or module manifest. */
  readonly item?: RegistryItemTarget | vscode.Uri | undefined;
  readonly version?: string | undefined;
  readonly target?: DeployTarget | undefined;
}

/**
 * Parses the arguments from menus, code lenses, and other commands. Without arguments, uses the
 * active part config as the target.
 * @param versionArgument a version; menus pass other arguments, which are ignored.
 */
export function deploySubject(
  argument: object | undefined,
  versionArgument: unknown,
): DeploySubject {
  const version = typeof versionArgument === 'string' ? versionArgument : undefined;
  if (argument === undefined || argument instanceof vscode.Uri) {
    const target = parsePartAddress(argument ?? vscode.window.activeTextEditor?.document.uri);
    return target ? { target, version } : { item: argument, version };
  }
  if (isTargetOf('registryItem', argument)) {
    const ofTarget =
      'version' in argument && typeof argument.version === 'string' && argument.version;
    return { item: argument, version: version ?? (ofTarget || undefined) };
  }
  const target =
    isTargetOf('machine', argument) || isTargetOf('part', argument) ? argument : undefined;
  return { target, version };
}

function parsePartAddress(uri: vscode.Uri | undefined): PartAddress | undefined {
  const address = uri && (parseDocumentAddress(uri) ?? parseResolvedAddress(uri));
  return address && isPartAddress(address) ? address : undefined;
}
