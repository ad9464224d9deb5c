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
 * @param wanted a version; menus pass other arguments, which are ignored.
 */
export function deploySubject(given: object | undefined, wanted: unknown): DeploySubject {
  const version = typeof wanted === 'string' ? wanted : undefined;
  if (given === undefined || given instanceof vscode.Uri) {
    const target = parsePartAddress(given ?? vscode.window.activeTextEditor?.document.uri);
    return target ? { target, version } : { item: given, version };
  }
  if (isTargetOf('registryItem', given)) {
    const ofTarget = 'version' in given && typeof given.version === 'string' && given.version;
    return { item: given, version: version ?? (ofTarget || undefined) };
  }
  const target = isTargetOf('machine', given) || isTargetOf('part', given) ? given : undefined;
  return { target, version };
}

function parsePartAddress(uri: vscode.Uri | undefined): PartAddress | undefined {
  const address = uri && (parseDocumentAddress(uri) ?? parseResolvedAddress(uri));
  return address && isPartAddress(address) ? address : undefined;
}
