#!/usr/bin/env python3
"""Each step of the capacity model in tools/scale, against numbers reckoned by hand with round coefficients."""
import contextlib
import math
import pathlib
import re
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools" / "scale"))
import coefficients
import model
import options
import picture
import quantities
import table

ROUND = {
    "up_packets": 60, "up_bytes": 4000, "own_bytes": 3000, "event_bytes": 400, "event_resting_bytes": 2.5, "block_bytes": 10,
    "sent_share_player": 0.2, "sent_share_body": 0.1, "record_player_bytes": 10, "record_body_bytes": 20,
    "record_whole_bytes": 30, "packet_bytes": 1000, "packet_spare": 0.5, "seal_bytes": 25, "down_packets_worker": 2,
    "header_bytes": 30, "interest_km": 3.2, "fabric_up_share": 0.5,
    "observer_bytes": 300, "replica_bytes": 20000, "ghost_player_bytes": 5000, "ghost_body_bytes": 2000,
    "band_km": 0.1, "mesh_messages_s": 30, "mesh_message_bytes": 40, "tick_base_us": 100, "tick_player_us": 10,
    "tick_look_us": 0.1, "tick_record_us": 0.6, "tick_body_us": 2, "tick_observer_us": 0.5, "standby_player_us": 8, "standby_body_us": 3,
    "mesh_peer_us": 2, "mesh_message_us": 4, "process_base_us": 10000, "process_player_us": 500,
    "gateway_base_us": 20000, "gateway_wake_up_us": 6, "gateway_input_us": 2, "gateway_packet_us": 10,
    "gateway_forward_us": 2, "gateway_mb": 30, "gateway_client_kb": 20, "directory_member_us": 500,
    "directory_pair_us": 0.5, "directory_push_us": 200, "directory_push_byte_us": 0.01, "map_worker_bytes": 100,
    "map_region_bytes": 80, "map_gateway_bytes": 60, "map_change_bytes": 300, "log_in_us": 300, "claim_us": 400, "resume_us": 250,
    "release_us": 200, "resume_period_s": 100, "session_commits_s": 1000, "store_rows_s": 10000,
    "store_checkpoint_mb_s": 50, "checkpoint_entity_bytes": 150, "worker_mb": 80, "entity_kb": 5,
    "worker_series": 300, "gateway_series": 350, "directory_series": 30, "session_series": 40, "limit_near": 200,
    "limit_near_m": 300, "limit_middle_m": 800, "limit_client_bytes": 60000, "limit_tick_ms": 12.5, "limit_gateway_clients": 4000, "limit_blocks": 16,
    "limit_observers": 4000, "limit_entities": 16000, "limit_known": 4000, "limit_area_km2": 256,
    "limit_workers": 200, "limit_regions": 250, "limit_gateways": 64,
}


def known(**changed):
    """The round coefficients, with changed values; None leaves one out."""
    values = {name: value for name, value in (ROUND | changed).items() if value is not None}
    return coefficients.Coefficients(coefficients.Row(name, str(value), "", "", "") for name, value in values.items())


def game(**changed):
    numbers = {"players": 1000, "players_per_worker": 250, "players_per_km2": 10, "bodies_per_worker": 250,
               "resting_per_worker": 1000, "cores_per_machine": 4}
    return quantities.Game(**(numbers | changed))


def place(**changed):
    numbers = {"workers": 4, "area_km2": 100, "entities_per_worker": 1500, "senders": 3, "clients_per_worker": 750,
               "known_entities": 100, "looks_per_s": 600, "records_per_s": 300, "record_bytes_per_s": 12000}
    return quantities.Place(**(numbers | changed))


TRAFFIC = quantities.Traffic(up_packets_per_s=60, up_bytes_per_s=4000, down_packets_per_s=40, down_bytes_per_s=15000,
                             packets_per_s=100000, up_gbit_per_s=0.05, down_gbit_per_s=0.16, fabric_gbit_per_s=0.2,
                             link_bytes_per_s=7e6, links_gbit_per_s=0.25)
WORKER = quantities.Worker(tick_ms=6.25, standby_ms=3, mesh_ms=0.25, core_share=0.5)
SERVICES = quantities.Services(players_per_gateway=714, gateways=2, gateway_us_per_s=860, map_bytes=840,
                               map_bytes_per_s=210, directory_share=0.004)
STORES = quantities.Stores(session_commits_per_s=11, session_share=0.003, log_in_of_all_min=0.03, rows_per_s=40,
                           checkpoint_mb_per_s=0.06, disk_gb=0.0036)
MACHINES = quantities.Machines(cores=8, memory_gb=0.46, machines=2, gbit_per_s=0.5, prometheus_series=1970,
                               machines_money_per_hour=0.32, bytes_money_per_hour=3, money_per_player_month=2.5)


class Case(unittest.TestCase):
    def near(self, got, expected):
        self.assertTrue(math.isclose(got, expected, rel_tol=1e-6), f"{got} instead of {expected}")

    @contextlib.contextmanager
    def refused(self, sentence):
        with self.assertRaises(coefficients.Refused) as raised:
            yield
        self.assertIn(sentence, str(raised.exception))


class Geometry(Case):
    def test_a_part_of_a_worker_is_a_worker_and_an_error_of_rounding_is_none(self):
        self.assertEqual([model.rounded_up(x) for x in (3, 3.1, 3 + 1e-12, 2.999)], [3, 4, 3, 3])

    def test_gaps(self):
        # The cell with index 2 reaches from 10 to 15 km.
        self.assertEqual([model.gap_km(x, 2, 5) for x in (7, 10, 12, 15, 19)], [3, 0, 0, 0, 4])

    def test_one_worker_serves_everybody(self):
        self.assertEqual(model.workers_in_reach(1, 10, 3), 1)

    def test_all_workers_are_in_reach_in_a_small_world(self):
        self.assertEqual(model.workers_in_reach(4, 1, 3), 4)
        # Two columns of a line and a half: the halves count as such.
        self.assertEqual(model.workers_in_reach(3, 1, 3), 3)

    def test_squares_in_a_large_world(self):
        # A square of 5 km and 3.2 km around it, without corners outside of the circle. In the world are all of it for
        # 64 of 100 squares, three sides for 32, two sides for 4.
        circle = math.pi * 3.2 ** 2
        inner, edge, corner = 25 + 64 + circle, 25 + 48 + circle / 2, 25 + 32 + circle / 4
        expected = (64 * inner + 32 * edge + 4 * corner) / 2500
        self.assertAlmostEqual(model.workers_in_reach(100, 50, 3.2), expected, delta=0.01)


class Place(Case):
    def test_counts(self):
        got = model.reckon_place(game(measured_senders=3), known())
        self.assertEqual(got.workers, 4)
        self.assertEqual(got.area_km2, 100)
        self.assertEqual(got.entities_per_worker, 250 + 250 + 1000)
        self.assertEqual(got.clients_per_worker, 750)

    def test_senders_follow_from_regions(self):
        got = model.reckon_place(game(players=100, players_per_km2=1000), known())
        self.assertEqual((got.workers, got.senders), (1, 1))
        # 4 regions in a world of 1 km: each player is near to all of them.
        self.assertEqual(model.reckon_place(game(players_per_km2=1000), known()).senders, 4)

    def test_looks_of_three_rings(self):
        # One body for each player: 20 moving entities on each km².
        near = 40 + 20 * math.pi * 0.09
        middle = 20 * math.pi * (0.64 - 0.09)
        far = 20 * math.pi * (1 - 0.64)
        got = model.reckon_place(game(measured_senders=3), known())
        self.near(got.known_entities, near + middle + far)
        # And 40 resting entities on each km², those within 300 m once a second.
        self.near(got.looks_per_s, 15 * near + 3 * middle + far + 40 * math.pi * 0.09)

    def test_a_short_sight_ends_the_rings(self):
        got = model.reckon_place(game(measured_senders=3, sight_m=100), known())
        self.near(got.looks_per_s, 15 * (40 + 20 * math.pi * 0.01) + 40 * math.pi * 0.09)

    def test_what_the_near_lane_does_not_hold_is_looked_at_less_often(self):
        self.near(model.looks_per_s(game(sight_m=100, players_per_km2=1e-9, company=210), known()), 15 * 200 + 7 * 10)

    def test_a_share_of_the_looks_is_sent(self):
        # Half of the looks are at players: 0.2 and 0.1 of 500, of 10 and 20 bytes.
        records, size = model.records_of(game(), known(), 1000)
        self.near(records, 150)
        self.near(size, 2000)
        self.assertEqual(model.records_of(game(), known(), 0), (0, 0))

    def test_measured_records_take_precedence(self):
        # With the mean size of calculated ones.
        records, size = model.records_of(game(measured_records_per_s=300), known(), 1000)
        self.near(records, 300)
        self.near(size, 4000)
        self.near(model.records_of(game(measured_records_per_s=300), known(), 0)[1], 3000)

    def test_the_budget_of_a_client_limits_its_records(self):
        # 60,000 bytes are 2,000 whole records.
        records, size = model.records_of(game(measured_records_per_s=4000, bodies_per_worker=0), known(), 1000)
        self.near(records, 2000)
        self.near(size, 20000)


class Traffic(Case):
    def test_of_one_player(self):
        got = model.reckon_traffic(game(), known(), place())
        self.assertEqual((got.up_packets_per_s, got.up_bytes_per_s), (60, 4000))
        # 12,500 / 15 bytes fill 0.8333 packets, and 0.5 are spare: 0.3333 more than 1; 2 for each further worker.
        self.near(got.down_packets_per_s, 30 + 15 / 3 + 2 * 2)
        # Own, records with events, 15 blocks of each further worker, 9 further packets.
        self.near(got.down_bytes_per_s, 3000 + 12500 + 2 * 15 * 10 + 9 * 25)

    def test_a_block_with_few_records_is_one_packet(self):
        self.near(model.reckon_traffic(game(), known(), place(record_bytes_per_s=300)).down_packets_per_s, 30 + 2 * 2)

    def test_of_all_players(self):
        got = model.reckon_traffic(game(), known(), place())
        self.near(got.packets_per_s, 1000 * (60 + 39))
        self.near(got.up_gbit_per_s, 1000 * (4000 + 60 * 30) * 8 / 1e9)
        self.near(got.down_gbit_per_s, 1000 * (16025 + 39 * 30) * 8 / 1e9)
        # Half of the inputs' bytes, to owner and standby; the position to two further workers.
        self.near(got.fabric_gbit_per_s, 1000 * (4000 + 16025 + 600) * 8 / 1e9)

    def test_between_workers(self):
        # Regions of 5 by 5 km: 8 % are within 100 m of one of four borders.
        whole = 250 * (20000 + 5000) + 250 * 2000
        border = 0.08 * (250 * 5000 + 250 * 2000)
        got = model.reckon_traffic(game(), known(), place())
        self.near(got.link_bytes_per_s, whole + border + 3 * 30 * 40)
        self.near(got.links_gbit_per_s, 4 * got.link_bytes_per_s * 8 / 1e9)

    def test_in_tiny_regions_all_is_at_the_border(self):
        got = model.reckon_traffic(game(), known(), place(area_km2=0.01))
        self.near(got.link_bytes_per_s, 250 * (20000 + 5000 + 5000) + 250 * (2000 + 2000) + 3 * 30 * 40)

    def test_one_worker_has_no_neighbour_and_no_standby(self):
        got = model.reckon_traffic(game(), known(), place(workers=1, senders=1))
        self.assertEqual(got.link_bytes_per_s, 0)
        self.near(got.fabric_gbit_per_s, 1000 * (2000 + 15625) * 8 / 1e9)


class Worker(Case):
    def test_tick(self):
        got = model.reckon_worker(game(), known(), place())
        self.near(got.mesh_ms, 3 * (0.002 + 0.5 * 0.004))
        self.near(got.standby_ms, 250 * 0.008 + 250 * 0.003)
        # Base, players, looks and records (10 and 5 a tick for each player), bodies, two further workers' players.
        self.near(got.tick_ms, 0.1 + 2.5 + 2500 * 0.0001 + 1250 * 0.0006 + 0.5 + 500 * 0.0005 + got.standby_ms + got.mesh_ms)
        self.near(got.core_share, got.tick_ms * 60 / 1000 + 0.01 + 250 * 0.0005)

    def test_a_single_worker(self):
        got = model.reckon_worker(game(), known(), place(workers=1, senders=1))
        self.assertEqual((got.mesh_ms, got.standby_ms), (0, 0))
        self.near(got.tick_ms, 0.1 + 2.5 + 0.25 + 0.75 + 0.5)


class Services(Case):
    def test_gateways(self):
        # With 1,000 clients: 20 + 60 * 3 + 40 * 10 + 60 * 2 * 2 = 840 µs for each, and 0.6 of a core is 600,000 µs.
        got = model.reckon_services(game(), known(), place(), TRAFFIC)
        self.assertEqual((got.players_per_gateway, got.gateways), (714, 2))
        # With 500 clients the base is 40, and three of 30,000 inputs a second share a wake-up instead of six.
        self.near(got.gateway_us_per_s, 920)

    def test_few_inputs_wake_a_gateway_each(self):
        self.near(model.gateway_us_per_s(known(), place(), TRAFFIC, 40), 500 + 60 * 8 + 400 + 240)

    def test_more_inputs_share_a_wake_up(self):
        # It costs 6 µs, for two inputs of 4,000 a second and for three of 24,000.
        self.near(model.input_us(known(), 4000), 2 + 6 / 2)
        self.near(model.gateway_us_per_s(known(), place(), TRAFFIC, 400), 50 + 60 * (2 + 6 / 3) + 400 + 240)

    def test_one_worker_needs_no_forwarding(self):
        self.near(model.gateway_us_per_s(known(), place(workers=1), TRAFFIC, 1000), 600)

    def test_a_gateway_has_so_many_clients_at_most(self):
        got = model.reckon_services(game(), known(limit_gateway_clients=100), place(), TRAFFIC)
        self.assertEqual((got.players_per_gateway, got.gateways), (100, 10))

    def test_a_gateway_without_time_is_refused(self):
        with self.refused("no player"):
            model.reckon_services(game(busy_share=0.0001), known(), place(), TRAFFIC)

    def test_directory(self):
        got = model.reckon_services(game(), known(), place(), TRAFFIC)
        # Four workers with a region each, two gateways; 7 members; a change every 10 s.
        self.assertEqual(got.map_bytes, 4 * 180 + 2 * 60)
        self.near(got.map_bytes_per_s, 0.1 * 7 * 300)
        self.near(got.directory_share, (7 * 500 + 16 * 0.5 + 0.1 * 7 * (200 + 3)) / 1e6)


class Stores(Case):
    def test_session(self):
        got = model.reckon_stores(game(), known(), place())
        log_ins_per_s, resumes_per_s = 1000 / 3600, 10
        self.near(got.session_commits_per_s, 3 * log_ins_per_s + resumes_per_s)
        self.near(got.session_share, (log_ins_per_s * 900 + resumes_per_s * 250) / 1e6)
        self.near(got.log_in_of_all_min, 2 / 60)  # two commits for each of 1,000 players, 1,000 a second

    def test_world(self):
        got = model.reckon_stores(game(), known(), place())
        self.near(got.rows_per_s, 1000 * 2 / 60)
        self.near(got.checkpoint_mb_per_s, 0.06)  # 6,000 entities of 150 bytes every 15 s
        self.near(got.disk_gb, 0.0036)  # four checkpoints of 0.9 MB


class Machines(Case):
    def test_sums(self):
        got = model.reckon_machines(game(), known(), place(), TRAFFIC, SERVICES, STORES)
        self.assertEqual((got.cores, got.machines), (4 + 2 + 2, 2))
        # Each worker has 1,500 entities and as many of another one.
        self.near(got.memory_gb, (4 * (80 + 3000 * 0.005) + 2 * 30 + 1000 * 0.02) / 1000)
        self.near(got.gbit_per_s, (0.05 + 0.16 + 2 * 0.2 + 2 * 0.25) / 2)
        self.near(got.prometheus_series, 4 * 300 + 2 * 350 + 30 + 40)
        self.near(got.machines_money_per_hour, 2 * 4 * 0.04)
        self.near(got.bytes_money_per_hour, 0.02 * 3600 * 0.05)  # 0.02 GB a second
        self.near(got.money_per_player_month, (0.32 + 3.6) * 730 / 1000)

    def test_a_standby_is_on_a_second_machine(self):
        got = model.reckon_machines(game(cores_per_machine=64), known(), place(), TRAFFIC, SERVICES, STORES)
        self.assertEqual(got.machines, 2)
        alone = place(workers=1)
        got = model.reckon_machines(game(cores_per_machine=64), known(), alone, TRAFFIC, SERVICES, STORES)
        self.assertEqual(got.machines, 1)


class Limits(Case):
    def test_shares(self):
        got = model.reckon_limits(game(), known(), place(), TRAFFIC, WORKER, SERVICES, STORES, MACHINES)
        expected = {"tick": 6.25 / 12.5, "core": 0.5, "blocks": 3 / 16, "observers": 500 / 4000,
                    "entities": 3000 / 16000, "known": 100 / 4000, "area": 100 / 256, "workers": 4 / 200,
                    "regions": 4 / 250, "gateways": 2 / 64, "directory": 0.004, "session": 11 / 1000,
                    "rows": 40 / 10000, "checkpoint": 0.06 / 50, "network": 0.5 / 10}
        self.assertEqual([limit.name for limit in got], list(expected))
        for limit in got:
            self.near(limit.share, expected[limit.name])

    def test_order_of_excess(self):
        shares = {"a": 1, "b": 2, "c": 3, "d": 2, "e": 3}
        limits = [quantities.Limit(name, name, share) for name, share in shares.items()]
        needs = quantities.Needs(None, None, None, None, None, None, None, limits)
        self.assertEqual(needs.first_limit.name, "c")
        self.assertEqual([limit.name for limit in needs.exceeded], ["c", "e", "b", "d"])

    def test_all_steps(self):
        needs = model.reckon(game(measured_senders=3, measured_records_per_s=300), known())
        # 4,500 bytes of records and events fill no block.
        self.near(needs.traffic.packets_per_s, 1000 * (60 + 34))
        self.near(needs.worker.tick_ms, 6.862 + 250 / 60 * 0.0001 * needs.place.looks_per_s)
        self.assertEqual((needs.services.gateways, needs.machines.cores), (2, 8))
        self.assertEqual(needs.first_limit.name, "tick")


class Coefficients(Case):
    def read(self, text):
        with tempfile.NamedTemporaryFile("w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            return coefficients.read(file.name)

    def test_rows(self):
        got = self.read("# a comment\n\n up | 6.5e1 | 1/s | what it is | where \n")
        self.assertEqual(got["up"], 65)
        self.assertEqual(got.rows[0].written, "6.5e1")

    def test_lines_that_are_none(self):
        for line in ("up | 5 | s | what", "up | five | s | what | where", "up | 1.2.3 | s | what | where"):
            with self.refused(":1: not 'name | value"):
                self.read(line)

    def test_twice(self):
        with self.refused(":2: up is there twice"):
            self.read("up | 5 | s | what | where\nup | 6 | s | what | where\n")

    def test_lacking_ones_are_named(self):
        for name in ("tick_body_us", "limit_workers"):
            with self.refused(f"lack {name}"):
                model.reckon(game(), known(**{name: None}))

    def test_division_by_0_is_refused(self):
        for name in ("record_whole_bytes", "packet_bytes", "gateway_packet_us", "resume_period_s", "session_commits_s",
                     "store_rows_s", "limit_regions"):
            with self.refused(f"{name} is 0"):
                model.reckon(game(), known(**{name: 0}))


class Options(Case):
    def test_the_help_names_the_defaults(self):
        named = dict(re.findall(r"(--[a-z0-9-]+) N \(([0-9.]+)\)", options.USAGE))
        for option, field in options.NUMBERS.items():
            default = getattr(quantities.Game(), field)
            self.assertEqual(float(named.pop(option)) if option in named else None, default, option)
        self.assertEqual(named, {})

    def test_numbers(self):
        got = options.parse(["--players", "10", "--senders", "2.5", "--players", "20", "--bodies", "0"]).game
        self.assertEqual(got, quantities.Game(players=20, measured_senders=2.5, bodies_per_worker=0))
        self.assertEqual(options.parse(["--told-by", "2.5"]).game, quantities.Game(measured_senders=2.5))

    def test_refusals(self):
        for words, sentence in ((["--players", "1e3"], "is not a number"), (["--busy", "0.0"], "more than 0"),
                                (["--list", ""], "not ''"), (["--players"], "needs a value"),
                                (["--x", "1"], "not know")):
            with self.refused(sentence):
                options.parse(words)


class Texts(Case):
    def test_three_digits(self):
        expected = {0: "0", 0.01234: "0.012", 1: "1.00", 9.876: "9.88", 98.76: "98.8", 987.6: "988", 1000: "1,000",
                    98765: "98,800", 1e6: "1,000,000", 1234567: "1,230,000"}
        self.assertEqual({x: table.three_digits(x) for x in expected}, expected)

    def test_bars(self):
        expected = {1e-6: 0.005, 0.01: 0.005, 0.1: 0.25, 1: 0.5, 10: 0.75, 100: 1, 1e6: 1}
        for share, length in expected.items():
            self.near(picture.length(share), length)
        self.assertEqual([picture.kind(share) for share in (0.5, 0.51, 1, 1.01)], ["well", "near", "near", "over"])
        self.assertEqual([picture.percent(share) for share in (0.004, 0.25, 1, 1.25, 12)],
                         ["0.4 %", "25 %", "100 %", "×1.2", "×12"])


if __name__ == "__main__":
    unittest.main()
