import assert from 'node:assert/strict';
import { create } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { PackageType } from '../../../../src/gen/viam/app/packages/v1/packages_pb';
import { RegistryItemSchema, type Visibility } from '../../../../src/gen/viam/app/v1/registry_pb';
import { matchesRegistryFilter, WHOLE_REGISTRY } from '../../../../src/core/model/registryItem';
import { inVersionOrder, registryItemFromWire } from '../../../../src/core/model/registryWire';

describe('registryItemFromWire', () => {
  it('marks an item as brief if a list omitted the details of its type', () => {
    const isBrief = (type: number) =>
      registryItemFromWire(create(RegistryItemSchema, { type })).isBrief;
    assert.deepEqual(
      [PackageType.MODULE, PackageType.ML_MODEL, PackageType.ML_TRAINING].map(isBrief),
      [true, true, true],
    );
    assert.equal(isBrief(PackageType.ARCHIVE), false);
    const brief = registryItemFromWire(create(RegistryItemSchema, { type: PackageType.MODULE }));
    const filter = { ...WHOLE_REGISTRY, platforms: ['linux/arm64'] };
    assert.ok(matchesRegistryFilter(brief, filter), 'what it runs on is not known');
  });

  it('returns unknown types and visibilities for values of a newer service', () => {
    const { type, visibility } = registryItemFromWire(
      create(RegistryItemSchema, { type: 99 as PackageType, visibility: 99 as Visibility }),
    );
    assert.deepEqual([type, visibility], ['unknown', 'unknown']);
  });

  it('preserves deprecations, even without a message', () => {
    const item = registryItemFromWire(
      create(RegistryItemSchema, {
        type: PackageType.MODULE,
        deprecatedStatus: { message: '' },
        metadata: {
          case: 'moduleMetadata',
          value: { versions: [{ version: '1.0.0', deprecatedStatus: { message: 'Use 2.' } }] },
        },
      }),
    );
    assert.deepEqual([item.deprecated, item.versions[0]?.deprecated], ['', 'Use 2.']);
  });

  it('dates a version of a module by its first archive', () => {
    const [early, late] = [new Date(1_000), new Date(2_000)];
    const files = [late, early].map((at) => ({ uploadedAt: timestampFromDate(at) }));
    const { versions } = registryItemFromWire(
      create(RegistryItemSchema, {
        type: PackageType.MODULE,
        metadata: { case: 'moduleMetadata', value: { versions: [{ version: '1.0.0', files }] } },
      }),
    );
    assert.deepEqual(versions[0]?.createdAt, early);
  });

  it('sorts versions, with invalid names at the end', () => {
    const named = ['0.9.0', 'nightly', '1.0.0', 'older'].map((version) => ({
      version,
      createdAt: undefined,
      files: [],
    }));
    assert.deepEqual(
      inVersionOrder(named).map(({ version }) => version),
      ['1.0.0', '0.9.0', 'older', 'nightly'],
    );
  });
});
