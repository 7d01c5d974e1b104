"""What hover tag has kept in the world store, for hover_tag_test.sh; records.hpp has the layout.

hover_tag_store.py results COUNT    standard input: `perigee-ctl results --json`; is each row of match 1 there once?
hover_tag_store.py winner           the same input; prints the id of the first player
hover_tag_store.py continued A B    two outputs of `perigee-ctl profile`: B goes on where A ended
"""
import json
import struct
import sys


def name_in(data, at):
    return data[at + 1:at + 1 + data[at]].decode()


def rows(match):
    for line in sys.stdin:
        if not line.startswith('{'):
            continue
        row = json.loads(line)
        if row['match'] != match:
            continue
        data = bytes.fromhex(row['bytes'])
        player, score, team, won = struct.unpack_from('<QHBB', data)
        yield {'place': row['place'], 'player': player, 'score': score, 'team': team, 'won': won, 'name': name_in(data, 12)}


def profile(path):
    with open(path, encoding='utf-8') as file:
        data = bytes.fromhex(file.read().split('\n')[1])
    keys = ('player', 'visits', 'points', 'matches', 'wins', 'last_match')
    return dict(zip(keys, struct.unpack_from('<QIIHHH', data)), name=name_in(data, 22))


def check(condition, what):
    if not condition:
        sys.exit(what)


def results(count):
    table = list(rows(1))
    check(len(table) == count, f'{len(table)} results instead of {count}')
    check([row['place'] for row in table] == list(range(1, count + 1)), 'a place is there twice, or missing')
    check(len({row['player'] for row in table}) == count, 'a player is there twice')
    scores = [row['score'] for row in table]
    check(sum(scores) > 0 and scores == sorted(scores, reverse=True), f'the table is not in order: {scores}')
    teams = [sum(row['score'] for row in table if row['team'] == team) for team in (1, 2)]
    for row in table:
        better = teams[row['team'] - 1] > teams[2 - row['team']]
        check(row['won'] == better, f'{row} with {teams} points of the teams')
    print(f'{count} results, {teams[0]} : {teams[1]} points, first {table[0]["name"]} with {scores[0]}')


def continued(before, after):
    check(before['matches'] == 1 and before['visits'] == 1, f'before: {before}')
    check(after['visits'] > 1, f'the player was new after the restart: {after}')
    check(after['player'] == before['player'] and after['name'] == before['name'], f'{before} became {after}')
    for key in ('points', 'matches', 'wins', 'last_match'):  # another match may have ended
        kept = after[key] == before[key] or (after['matches'] > before['matches'] and after[key] >= before[key])
        check(kept, f'{key}: {before} became {after}')
    print(f'{after["name"]} is here again, with {after["points"]} points and {after["wins"]} wins')


command, *words = sys.argv[1:]
if command == 'results':
    results(int(words[0]))
elif command == 'winner':
    print(next(rows(1))['player'])
else:
    continued(profile(words[0]), profile(words[1]))
