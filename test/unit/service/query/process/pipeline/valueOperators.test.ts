import assert from 'node:assert/strict';
import { assertErrors, assertValues } from './expressionCases';
import { runOn } from './runOn';

// Expected results follow MongoDB's manual.
describe('operators on text', () => {
  it('treat null and missing values as empty text', async () => {
    await assertValues({ n: 12, text: 'Ab', nothing: null }, [
      [{ $toUpper: '$none' }, ''],
      [{ $toLower: '$nothing' }, ''],
      [{ $toUpper: '$text' }, 'AB'],
      [{ $toLower: '$n' }, '12'],
      [{ $strcasecmp: ['$none', 'x'] }, -1],
      [{ $strcasecmp: ['$text', 'aB'] }, 0],
      [{ $substrCP: ['$none', 0, 3] }, ''],
      [{ $split: ['$none', ','] }, null],
      [{ $indexOfCP: ['$none', 'a'] }, null],
      [{ $binarySize: '$none' }, null],
    ]);
  });

  it('count bytes or code points, not units of UTF-16', async () => {
    await assertValues({ text: 'h😀llo', accents: 'héllo' }, [
      [{ $indexOfBytes: ['$accents', 'l'] }, 3],
      [{ $indexOfCP: ['$text', 'l'] }, 2],
      [{ $indexOfCP: ['$text', 'l', 3] }, 3],
      [{ $indexOfCP: ['$text', 'o', 0, 4] }, -1],
      [{ $indexOfCP: ['$text', ''] }, 0],
      [{ $strLenCP: '$text' }, 5],
      [{ $substrCP: ['$text', 1, 2] }, '😀l'],
      [{ $substrBytes: ['$accents', 1, 2] }, 'é'],
      [{ $binarySize: '$accents' }, 6],
      [{ $regexFind: { input: '$text', regex: 'l' } }, { match: 'l', idx: 2, captures: [] }],
      [
        { $regexFindAll: { input: '$text', regex: 'l(o)' } },
        [{ match: 'lo', idx: 3, captures: ['o'] }],
      ],
      [{ $regexFind: { input: '$text', regex: 'x' } }, null],
    ]);
  });

  it('$substr takes the rest if the length is negative, and no text before the start', async () => {
    await assertValues({ n: 123 }, [
      [{ $substr: ['online', 2, -1] }, 'line'],
      [{ $substr: ['hello', -1, 2] }, ''],
      [{ $substr: ['hello', 9, 2] }, ''],
      [{ $substrCP: ['$n', 0, 1] }, '1'],
    ]);
    await assertErrors({}, [
      [{ $substrBytes: ['é', 0, 1] }, /must not start or end within a character/],
      [{ $substrCP: ['a', -1, 1] }, /\$substrCP needs whole numbers/],
      [{ $split: ['a,b', ''] }, /separator of \$split must not be empty/],
      [{ $indexOfCP: [5, 'a'] }, /\$indexOfCP needs text/],
      [{ $indexOfCP: ['a'] }, /\$indexOfCP needs 2 to 4 operands/],
    ]);
  });
});

describe('conversions', () => {
  it('accept only text that is a number as a whole', async () => {
    await assertValues({}, [
      [{ $toInt: '-12' }, -12],
      [{ $toInt: 4.9 }, 4],
      [{ $toDouble: '1e3' }, 1_000],
      [{ $toDouble: '.5' }, 0.5],
      [{ $toDouble: '-Infinity' }, -Infinity],
      [{ $toDouble: { $literal: NaN } }, NaN],
      [{ $toLong: { $toDate: '1970-01-02' } }, 86_400_000],
      [{ $toDate: '2026-01-02T03:04:05' }, new Date('2026-01-02T03:04:05Z')],
      [{ $toBool: 'false' }, true],
      [{ $toString: true }, 'true'],
      [{ $toInt: '$none' }, null],
    ]);
    for (const text of ['', ' ', '0x1F', '1e3', '2.5', '1 2', 'abc']) {
      await assertErrors({ text }, [[{ $toInt: '$text' }, /can't be converted to int/]]);
    }
    for (const text of ['', ' ', '0x1F', '1 2', 'abc', '1e']) {
      await assertErrors({ text }, [[{ $toDouble: '$text' }, /can't be converted to double/]]);
    }
  });

  it('accept dates and large numbers, but no arrays and documents', async () => {
    await assertValues({ time: new Date(5), big: 1e17 }, [
      [{ $toLong: '$time' }, 5],
      [{ $toDouble: '$time' }, 5],
      [{ $toLong: '$big' }, 1e17],
      [{ $toLong: -2.9 }, -2],
      [{ $toInt: true }, 1],
      [{ $toDate: 5.7 }, new Date(5)],
      [{ $convert: { input: '$time', to: 'int', onError: 'none' } }, 'none'],
    ]);
    await assertErrors({ time: new Date(5), list: ['5'], object: {} }, [
      [{ $toInt: '$time' }, /a date can't be converted to int/],
      [{ $toInt: '$list' }, /an array can't be converted to int/],
      [{ $toDouble: '$list' }, /an array can't be converted to double/],
      [{ $toLong: '$object' }, /this value can't be converted to long/],
      [{ $toDate: '$list' }, /an array can't be converted to date/],
      [{ $toDate: true }, /can't be converted to date/],
      [{ $toInt: 3e9 }, /out of range/],
      [{ $toLong: 1e19 }, /out of range/],
      [{ $toLong: '9007199254740993' }, /out of range/],
    ]);
  });

  it('$convert reads its input only once, and uses onError and onNull', async () => {
    await assertValues({ path: '$secret', secret: 'x', text: '12x' }, [
      [{ $convert: { input: '$path', to: 'string' } }, '$secret'],
      [{ $convert: { input: '$text', to: 'int', onError: { $concat: ['$secret', '!'] } } }, 'x!'],
      [{ $convert: { input: '', to: 1, onError: null } }, null],
      [{ $convert: { input: '$none', to: 'int', onNull: 7 } }, 7],
      [{ $convert: { input: '7', to: { type: 'long' } } }, 7],
    ]);
    await assertErrors({}, [
      [{ $convert: { input: 'x', to: 'int' } }, /can't be converted to int/],
      [{ $convert: { input: 'x', to: 'text' } }, /can't be converted to "text"/],
      [{ $convert: { input: 'x' } }, /\$convert must have to/],
    ]);
  });
});

describe('operators on numbers', () => {
  it('return null without a number, and reject what has no result', async () => {
    await assertValues({}, [
      [{ $mod: ['$none', 2] }, null],
      [{ $mod: [-7, 4] }, -3],
      [{ $ln: '$none' }, null],
      [{ $log: [8, 2] }, 3],
    ]);
    await assertErrors({}, [
      [{ $mod: [7, 0] }, /divisor of \$mod must not be 0/],
      [{ $mod: ['a', 1] }, /\$mod needs numbers/],
      [{ $ln: 0 }, /\$ln needs positive numbers/],
      [{ $log10: -1 }, /\$log10 needs positive numbers/],
      [{ $log: [8, 1] }, /base of \$log must not be 1/],
    ]);
  });

  it('$median and $percentile sort by number', async () => {
    const list = [100, 9, 10, 'x', null, 1_000];
    const shares = [0, 0.5, 0.75, 1];
    const median = { input: '$v', method: 'approximate' };
    await assertValues({ list }, [
      [{ $median: { input: '$list', method: 'approximate' } }, 10],
      [{ $percentile: { input: '$list', p: shares, method: 'approximate' } }, [9, 10, 100, 1_000]],
      [{ $median: { input: '$none', method: 'approximate' } }, null],
      [{ $percentile: { input: '$none', p: [0.5], method: 'approximate' } }, [null]],
    ]);
    const documents = list.map((v) => ({ v }));
    const group = {
      _id: null,
      median: { $median: median },
      shares: { $percentile: { ...median, p: shares } },
    };
    assert.deepEqual(await runOn(documents, { $group: group }), [
      { _id: null, median: 10, shares: [9, 10, 100, 1_000] },
    ]);
    await assertErrors({ list }, [
      [{ $median: { input: '$list', method: 'exact' } }, /method must be 'approximate'/],
      [{ $percentile: { input: '$list', p: [2], method: 'approximate' } }, /numbers from 0 to 1/],
    ]);
  });
});

describe('operators on arrays and documents', () => {
  it('return null for null and missing arrays, and accept literal arrays', async () => {
    await assertValues({ i: 5, list: [1, 2, 3] }, [
      [{ $slice: ['$none', 1] }, null],
      [{ $slice: ['$list', 1] }, [1]],
      [{ $slice: ['$none', 1, 2] }, null],
      [{ $slice: ['$list', -2] }, [2, 3]],
      [{ $slice: ['$list', -5, 2] }, [1, 2]],
      [{ $slice: ['$list', 1, 5] }, [2, 3]],
      [{ $setUnion: ['$none', [1]] }, null],
      [{ $setUnion: ['$list', [3, 4]] }, [1, 2, 3, 4]],
      [{ $setIntersection: ['$list', null] }, null],
      [{ $anyElementTrue: [[{ $gt: ['$i', 2] }, { $gt: ['$i', 9] }]] }, true],
      [{ $allElementsTrue: [[{ $gt: ['$i', 2] }, { $gt: ['$i', 9] }]] }, false],
      [{ $allElementsTrue: [['', 1]] }, true],
      [{ $isArray: [[1]] }, true],
      [{ $isArray: [[1, 2]] }, true],
      [{ $isArray: ['$i'] }, false],
      [{ $size: [[1, 2]] }, 2],
    ]);
    let nested: object = { $slice: ['$list', 2] };
    for (let depth = 0; depth < 40; depth += 1) nested = { $slice: [nested, 2] };
    await assertValues({ list: [1, 2, 3] }, [[nested, [1, 2]]]);
    await assertErrors({ i: 5 }, [
      [{ $slice: [[1], 0, 0] }, /count of \$slice must be positive/],
      [{ $slice: ['$i', 1] }, /\$slice needs/],
      [{ $anyElementTrue: '$i' }, /\$anyElementTrue needs an array/],
      [{ $switch: { branches: [{ case: false, then: 1 }] } }, /no branch for a value/],
      [{ $switch: {} }, /must have branches/],
    ]);
  });

  it('$mergeObjects merges the values of its expression', async () => {
    const documents = [{ o: { a: 1, b: 1 } }, { o: null }, {}, { o: { b: 2 } }];
    const merged = { $group: { _id: null, merged: { $mergeObjects: '$o' } } };
    assert.deepEqual(await runOn(documents, merged), [{ _id: null, merged: { a: 1, b: 2 } }]);
    await assert.rejects(runOn([{ o: 5 }], merged), /\$mergeObjects needs documents/);
    const special = JSON.parse('{"__proto__": {"k": 1}, "a": 1}') as object;
    const [result] = await runOn([{ o: special }], merged);
    assert.deepEqual(Object.entries(result?.merged as object), Object.entries(special));
    const growing = { documents: ['unbounded', 'current'] };
    const output = { m: { $mergeObjects: '$o', window: growing } };
    const rows = [1, 2].map((t) => ({ t, o: { [`k${String(t)}`]: t } }));
    assert.deepEqual(
      (await runOn(rows, { $setWindowFields: { sortBy: { t: 1 }, output } })).map(({ m }) => m),
      [{ k1: 1 }, { k1: 1, k2: 2 }],
    );
  });
});

describe('stages with expressions', () => {
  it('$redact evaluates $$ROOT as the whole document', async () => {
    const documents = [{ kind: 'sensor', data: { value: 1, inner: { x: 2 } } }];
    const isSensor = { $eq: ['$$ROOT.kind', 'sensor'] };
    const redact = { $redact: { $cond: [isSensor, '$$DESCEND', '$$PRUNE'] } };
    assert.deepEqual(await runOn(documents, redact), documents);
    const hasValue = { $ifNull: ['$$CURRENT.x', '$kind', '$value'] };
    const keep = { $redact: { $cond: [hasValue, '$$DESCEND', '$$PRUNE'] } };
    assert.deepEqual(await runOn(documents, keep), documents);
  });

  it('$lookup joins values that look like operators', async () => {
    const documents = [{ k: { $ref: 'x' } }, { k: 1 }];
    const lookup = { from: 'readings', localField: 'k', foreignField: 'k', as: 'same' };
    const project = { $project: { same: { $size: '$same' } } };
    assert.deepEqual(await runOn(documents, { $lookup: lookup }, project), [
      { same: 1 },
      { same: 1 },
    ]);
  });

  it('treat names of JavaScript members in documents as ordinary names', async () => {
    const documents = [{ t: 1 }, { t: 2 }];
    for (const name of ['constructor', 'toString', 'valueOf', 'isPrototypeOf']) {
      const id = { [name]: '$t' };
      const groups = await runOn(documents, { $group: { _id: id, n: { $sum: 1 } } });
      assert.equal(groups.length, 2, name);
    }
  });
});

describe('conditions of $match', () => {
  const documents = [{ n: 1 }, { n: 2 }];
  const match = async (condition: object): Promise<unknown[]> =>
    (await runOn(documents, { $match: condition })).map(({ n }) => n);

  it('can have comments and a sample rate', async () => {
    assert.deepEqual(await match({ n: { $gt: 1, $comment: 'why' }, $comment: 'more' }), [2]);
    assert.deepEqual(await match({ $or: [{ n: 1, $comment: 'one' }] }), [1]);
    assert.deepEqual(await match({ $sampleRate: 1 }), [1, 2]);
    assert.deepEqual(await match({ $sampleRate: 0 }), []);
    await assert.rejects(match({ $sampleRate: 2 }), /\$sampleRate must be a number from 0 to 1/);
  });

  it('need at least one condition in lists', async () => {
    for (const name of ['$and', '$or', '$nor']) {
      await assert.rejects(match({ [name]: [] }), /must be an array of at least one condition/);
    }
    await assert.rejects(runOn(documents, { $addFields: {} }), /must name at least one field/);
  });
});
