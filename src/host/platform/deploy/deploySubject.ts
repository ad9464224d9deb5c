import * as vscode from 'vscode';
import { isTargetOf } from '../../../core/model/isTargetOf';
import type {
  MachineTarget,
  PartTarget,
  RegistryItemTarget,
} from '../../../core/model/resourceTarget';
import { addressOf, resolvedAddressOf } from '../documentUris';
import { isPartAddress, type PartAddress } from '../partDocument';

/** Where something of the registry goes: a machine, a part, or the part whose config is open. */
export type DeployPlace = MachineTarget | PartTarget | PartAddress;

/** What a command was called with: what is deployed, which version of it, and where it goes. */
export interface DeploySubject {
  /** An item of the registry, or the manifest of a module. */
  readonly item?: RegistryItemTarget | vscode.Uri | undefined;
  readonly version?: string | undefined;
  readonly place?: DeployPlace | undefined;
}

/**
 * Sorts out what menus, lenses and other commands hand over. Without anything, the config of a part in
 * front says where.
 * @param wanted a version; menus pass something else in its place, which says nothing here.
 */
export function deploySubject(given: object | undefined, wanted: unknown): DeploySubject {
  const version = typeof wanted === 'string' ? wanted : undefined;
  if (given === undefined || given instanceof vscode.Uri) {
    const place = partOf(given ?? vscode.window.activeTextEditor?.document.uri);
    return place ? { place, version } : { item: given, version };
  }
  if (isTargetOf('registryItem', given)) {
    const ofTarget = 'version' in given && typeof given.version === 'string' && given.version;
    return { item: given, version: version ?? (ofTarget || undefined) };
  }
  const place = isTargetOf('machine', given) || isTargetOf('part', given) ? given : undefined;
  return { place, version };
}

function partOf(uri: vscode.Uri | undefined): PartAddress | undefined {
  const address = uri && (addressOf(uri) ?? resolvedAddressOf(uri));
  return address && isPartAddress(address) ? address : undefined;
}
