import { appendMember, memberValue, replaceValue } from '../../documents/jsonMembers';
import type { JsonValue } from '../../documents/jsonTree';
import type { RegistryItem } from '../../model/registryItem';
import { movedPin } from '../../model/versionPin';
import { listOfConfig, textMember, withElement } from './configList';
import { freeName } from './moduleUse';

const PACKAGES = 'packages';
/** What configs call the type of a model's package. */
const ML_MODEL = 'ml_model';

/** The package of a model that a config is to have, and in which version. */
export interface ModelDeployment {
  /** The ids by which configs may name it; a new entry is written with the first one. */
  readonly ids: readonly [string, ...string[]];
  /** A version, or `latest`. */
  readonly version: string;
  /** All versions that the model has. */
  readonly versions: readonly string[];
}

/** How a config uses the package of a model. */
export interface PackageUse {
  /** What the config calls it, and what its paths begin with. */
  readonly name: string;
  /** As it is written; empty when the config leaves it open. */
  readonly version: string;
}

/** What puts a model into configs: packages are named `organization-id/name`, or with the namespace. */
export function modelDeploymentOf(
  {
    namespace,
    organizationId,
    name,
    versions,
  }: Pick<RegistryItem, 'namespace' | 'organizationId' | 'name' | 'versions'>,
  version: string,
): ModelDeployment {
  const others = namespace === '' ? [] : [`${namespace}/${name}`];
  return {
    ids: [`${organizationId}/${name}`, ...others],
    version,
    versions: versions.map((one) => one.version),
  };
}

/** How a config text uses a model. @throws FleetError `invalid` when its packages are no list. */
export function packageUses(configText: string, ids: readonly string[]): readonly PackageUse[] {
  return usesIn(configText, ids).map((element) => ({
    name: textMember(element, 'name'),
    version: textMember(element, 'version'),
  }));
}

/**
 * The text of a config that has the package in the wanted version: with an entry added, or with the
 * version changed where it is there already. Only what changes is touched.
 * @throws FleetError `invalid` when the config has something else where packages belong.
 */
export function deployPackage(
  configText: string,
  { ids, version, versions }: ModelDeployment,
): string {
  const count = usesIn(configText, ids).length;
  if (count === 0) {
    const [id] = ids;
    const name = freePackageName(configText, id);
    return withElement(configText, PACKAGES, { name, package: id, type: ML_MODEL, version });
  }
  return Array.from({ length: count }).reduce<string>((edited, _, index) => {
    const use = usesIn(edited, ids)[index];
    return use ? withVersion(use, movedPin(textMember(use, 'version'), version, versions)) : edited;
  }, configText);
}

/** How paths into a package begin, which the machine's software fills in. */
export function packageFolder(name: string): string {
  return `\${packages.${ML_MODEL}.${name}}`;
}

function freePackageName(configText: string, id: string): string {
  const taken = new Set(
    listOfConfig(configText, PACKAGES).map((element) => textMember(element, 'name')),
  );
  return freeName((id.split('/').at(-1) ?? id).replaceAll(/[^\w-]/g, '-'), taken);
}

function usesIn(configText: string, ids: readonly string[]): readonly JsonValue[] {
  return listOfConfig(configText, PACKAGES).filter((element) =>
    ids.includes(textMember(element, 'package')),
  );
}

function withVersion(use: JsonValue, version: string): string {
  // It is left open, and stays so.
  if (version === textMember(use, 'version')) return use.text;
  const written = memberValue(use, 'version');
  return written
    ? replaceValue(written, JSON.stringify(version))
    : appendMember(use, JSON.stringify('version'), JSON.stringify(version));
}
