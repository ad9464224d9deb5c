import assert from 'node:assert/strict';
import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import type { FleetContent } from '../../../support/loadedFleet';

export interface FragmentImport {
  id: string;
  prefix?: string;
  variables?: JsonObject;
}

export interface Modification {
  fragment_id: string;
  mods: Record<'$set' | '$unset', JsonObject | undefined>[];
}

/** A config of the demo fleet, with parsed JSON. */
export interface DemoConfig {
  components?: JsonObject[];
  services?: JsonObject[];
  modules?: JsonObject[];
  fragments?: FragmentImport[];
  fragment_mods?: Modification[];
}

/** The fragments of a loaded fleet, and the configs that import them. */
export class ImportedConfigs {
  private readonly fragments: ReadonlyMap<string, DemoConfig>;

  constructor(private readonly content: FleetContent) {
    this.fragments = new Map(
      content.fragments.map(({ id, fragment }) => [id, (fragment ?? {}) as DemoConfig]),
    );
  }

  /** Returns the configs of parts and fragments by name. */
  all(): [string, DemoConfig][] {
    return [
      ...this.content.parts.map((part): [string, DemoConfig] => [
        part.name,
        JSON.parse(part.robotConfigJson ?? '') as DemoConfig,
      ]),
      ...this.content.fragments.map((one): [string, DemoConfig] => [
        one.name,
        (one.fragment ?? {}) as DemoConfig,
      ]),
    ];
  }

  fragment(id: string): DemoConfig {
    const config = this.fragments.get(id);
    assert.ok(config, `fragment ${id} is imported and does not exist`);
    return config;
  }

  /** Returns a config and all configs that it imports, directly or indirectly. */
  closure(config: DemoConfig): DemoConfig[] {
    return [
      config,
      ...(config.fragments ?? []).flatMap(({ id }) => this.closure(this.fragment(id))),
    ];
  }
}

/** Returns the names of the `$variable` placeholders in a value. */
export function variablesIn(value: JsonValue | undefined): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const { $variable: variable } = value as { $variable?: { name: string } };
  return variable === undefined ? Object.values(value).flatMap(variablesIn) : [variable.name];
}

/** Returns the config entry that contains a path such as `components.arm.attributes.host`. */
export function entryAt(config: DemoConfig, path: string): JsonObject | undefined {
  const [section, name] = path.split('.');
  const entries = (config as Record<string, JsonObject[] | undefined>)[section ?? ''];
  return entries?.find((entry) => entry.name === name);
}
