import assert from 'node:assert/strict';
import { locationId } from '../../../../../../src/core/model/ids';
import { filterQuery } from '../../../../../../src/host/features/data/filter/filterQuery';
import { type DataFilter, everyData } from '../../../../../../src/shared/data/dataFilter';

describe('filterQuery', () => {
  const toQuery = (filter: Partial<DataFilter>): ReturnType<typeof filterQuery> =>
    filterQuery(
      { ...everyData, ...filter },
      filter.locations?.map(locationId) ?? [],
      (inexpressible) => inexpressible.join(' '),
    );

  it('expresses criteria that readings support', () => {
    const { text, inexpressible } = toQuery({
      locations: ['hall'],
      machine: 'm',
      part: 'p',
      componentName: 'battery',
      componentType: 'sensor',
      method: 'Readings',
      tagsMode: 'anyOf',
      tags: ['night'],
      interval: { kind: 'last', minutes: 60 },
    });
    assert.deepEqual(inexpressible, []);
    for (const condition of [
      "location_id = 'hall'",
      "robot_id = 'm'",
      "part_id = 'p'",
      "component_name = 'battery'",
      "split_part(component_type, ':', -1) = 'sensor'",
      "method_name = 'Readings'",
      "list_has_any(tags, ['night'])",
      'time_received >= now() - INTERVAL 1 HOUR',
    ]) {
      assert.ok(text.includes(condition), condition);
    }
  });

  it('lists unsupported criteria above the query', () => {
    const { text, inexpressible } = toQuery({
      machineName: 'amr',
      partName: 'main',
      mimeTypes: ['image/png'],
      labels: ['rust'],
      dataset: 'd',
    });
    assert.deepEqual(inexpressible, ['machineName', 'partName', 'mimeType', 'labels', 'dataset']);
    assert.equal(text.split('\n')[0], '-- machineName partName mimeType labels dataset');
  });

  it('ignores a tag filter without tags', () => {
    assert.ok(!toQuery({ tagsMode: 'anyOf' }).text.includes('tags'));
  });
});
