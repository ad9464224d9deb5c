import * as vscode from 'vscode';
import { Disposable } from '../../../base/disposable';
import { Emitter } from '../../../base/emitter';
import { type ConfigNode, literalString } from '../../../core/configChecks/configDiagnostic';
import { LATEST } from '../../../core/configChecks/ruleTables';
import type { FleetCatalog } from '../../../core/configChecks/fleetCatalog';
import {
  type FleetReference,
  fleetReferencesInSteps,
  fragmentModsIn,
} from '../../../core/configChecks/fleetReferences';
import { compareModuleVersion } from '../../../core/configChecks/moduleVersion';
import { registryItemTarget, type FragmentTarget } from '../../../core/model/resourceTarget';
import type { FragmentSummary } from '../../../core/model/entities';
import type { RegistryItem } from '../../../core/model/registryItem';
import { toDisplayText } from '../../../core/model/displayText';
import type { VersionChange } from '../../../manifest/commandArguments';
import type { CommandId } from '../../../manifest/commands';
import type { FleetCatalogs } from './fleetCatalogs';
import { toRange } from '../../platform/documents/toRange';
import type { ParsedConfigs } from './parsedConfigs';

/** Maximum number of references in a config to look up. */
const MAX_REFERENCES = 200;

/** Fragment or module to which a config refers. */
interface LinkedResource {
  readonly reference: FleetReference;
  readonly name: string;
  /** Version of the entry to show; empty if it has none. */
  readonly version: string;
  /** Newer version that the entry can use. */
  readonly update: { readonly version: string; readonly title: string } | undefined;
  readonly open: { readonly command: CommandId; readonly argument: object };
}

/**
 * Code lenses above fragments and modules with their name, version, and actions, and links from
 * their IDs to the fragment or the module's page.
 */
export class FleetLinks
  extends Disposable
  implements vscode.CodeLensProvider, vscode.DocumentLinkProvider
{
  private readonly changed = this.register(new Emitter<void>());
  readonly onDidChangeCodeLenses = this.changed.event;

  constructor(
    private readonly catalogs: FleetCatalogs,
    private readonly configs: ParsedConfigs,
  ) {
    super();
    this.register(catalogs.onDidChange(() => this.changed.fire()));
  }

  async provideCodeLenses(document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
    const found = await this.find(document);
    return found.flatMap(({ reference, name, version, update, open }) => {
      const start = document.positionAt(reference.entry.node.offset);
      const range = new vscode.Range(start, start);
      const lens = (
        title: string,
        command: CommandId | '' = '',
        argument?: object,
      ): vscode.CodeLens =>
        new vscode.CodeLens(range, { title, command, arguments: argument ? [argument] : [] });
      return [
        lens([name, version].filter((one) => one !== '').join(' ')),
        ...(update
          ? [
              lens(
                update.title,
                'fleetwright.config.updateVersion',
                toChange(document, reference, { from: version, version: update.version }),
              ),
            ]
          : []),
        lens(vscode.l10n.t('Open'), open.command, open.argument),
      ];
    });
  }

  async provideDocumentLinks(document: vscode.TextDocument): Promise<vscode.DocumentLink[]> {
    const found = await this.find(document, fragmentModsIn);
    return found.map(({ reference, name, open }) => {
      const { offset, length } = reference.at.node;
      const range = toRange(document, { offset: offset + 1, length: length - 2 });
      const query = encodeURIComponent(JSON.stringify([open.argument]));
      const link = new vscode.DocumentLink(
        range,
        vscode.Uri.parse(`command:${open.command}?${query}`),
      );
      link.tooltip =
        reference.kind === 'fragment'
          ? vscode.l10n.t('Open the fragment "{0}"', name)
          : vscode.l10n.t('Open the page of the module {0}', name);
      return link;
    });
  }

  private async find(
    document: vscode.TextDocument,
    listOthers: (root: ConfigNode) => readonly FleetReference[] = () => [],
  ): Promise<LinkedResource[]> {
    const fleet = this.catalogs.find(document);
    if (!fleet) return [];
    const root = (await this.configs.get(document))?.root;
    if (!root) return [];
    const listed = await this.configs.run(fleetReferencesInSteps(root));
    const references = [...listed, ...listOthers(root)].slice(0, MAX_REFERENCES);
    const { catalog, connectionId, subject } = fleet;
    if (references.length === 0) return [];
    const organization = await catalog.organization(subject);
    if (!organization) return [];
    const found = await Promise.all(
      references.map(async (reference): Promise<LinkedResource | undefined> => {
        const { kind, id } = reference;
        if (kind === 'fragment') {
          const fragment = await catalog.summary(organization, id);
          if (!fragment) return undefined;
          const { organizationId, id: fragmentId, name } = fragment;
          const argument: FragmentTarget = {
            kind: 'fragment',
            connectionId,
            organizationId,
            fragmentId,
            name,
          };
          const open = { command: 'fleetwright.fragment.openConfig', argument } as const;
          return {
            reference,
            name: toDisplayText(name),
            open,
            ...(await fragmentVersion(catalog, reference, fragment)),
          };
        }
        const module = (await catalog.module(id))?.value;
        if (!module) return undefined;
        const argument = registryItemTarget(connectionId, module);
        const open = { command: 'fleetwright.registryItem.show', argument } as const;
        return {
          reference,
          name: toDisplayText(module.name),
          open,
          ...moduleVersion(reference, module),
        };
      }),
    );
    return found.filter((one) => one !== undefined);
  }
}

function toChange(
  { uri }: vscode.TextDocument,
  { kind, id, entry }: FleetReference,
  versions: Pick<VersionChange, 'from' | 'version'>,
): VersionChange {
  return { document: uri.toString(), entry: entry.path, kind, id, ...versions };
}

/** Only a pinned revision can be outdated. A tag such as `stable` follows its fragment. */
async function fragmentVersion(
  catalog: FleetCatalog,
  { id, version }: FleetReference,
  { revision }: FragmentSummary,
): Promise<Pick<LinkedResource, 'version' | 'update'>> {
  const written = literalString(version) ?? '';
  const isOther = written !== '' && revision !== '' && written !== revision;
  const pinned = isOther ? (await catalog.fragment(id, written))?.value : undefined;
  const title = vscode.l10n.t('Update to Latest Revision');
  return {
    version: written,
    update: pinned?.revision === written ? { version: revision, title } : undefined,
  };
}

function moduleVersion(
  { version }: FleetReference,
  module: RegistryItem,
): Pick<LinkedResource, 'version' | 'update'> {
  const written = literalString(version) ?? '';
  const { state, resolved, replacement } = compareModuleVersion(written, module);
  const title =
    state === 'outdated'
      ? vscode.l10n.t('Update to {0}', replacement ?? '')
      : vscode.l10n.t('Change to {0}', replacement ?? '');
  return {
    version: written === '' || LATEST.includes(written) ? (resolved ?? '') : written,
    update: replacement === undefined ? undefined : { version: replacement, title },
  };
}
