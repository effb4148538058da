/* A program in C that uses every call: a scenario, walkers in it, a body that is moved from outside, a snapshot. It prints the hash of
 * all places at the end. */
#include "throng.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check(int holds, const char *what) {
    if (!holds) {
        fprintf(stderr, "%s: %s\n", what, throng_error());
        exit(1);
    }
}

int main(int count, char **arguments) {
    check(count == 3, "give a scenario, and a file for a snapshot");
    check(throng_load("not-there.toml", 1) == NULL && strstr(throng_error(), "not-there.toml"), "a missing file");
    check(throng_tick(NULL) == -1 && strcmp(throng_error(), "the world is NULL") == 0, "no world");

    throng_world *world = throng_load(arguments[1], 2);
    check(world != NULL, "load");
    throng_point size = throng_size(world);
    check(size.x == 40 && size.y == 30, "size");
    size_t soldiers = throng_agents(world);
    check(soldiers == 4 && throng_squads(world) == 2, "the scenario has four soldiers in two squads");

    throng_point doors[2] = {{4.5f, 4.5f}, {4.5f, 6.5f}};
    throng_agent walkers[2];
    check(throng_spawn(world, 0, 0, doors, 2, walkers) == 0, "spawn");
    check(throng_spawn(world, 0, 99, doors, 2, NULL) == -1 && strstr(throng_error(), "unit 99"), "a unit that is not there");
    check(throng_walk_to(world, walkers[0], (throng_point){30.5f, 4.5f}) == 0, "walk");
    check(throng_order(world, 0, THRONG_GO_TO, (throng_point){20.5f, 20.5f}) == 0, "order");
    check(throng_order(world, 7, THRONG_HOLD, (throng_point){0, 0}) == -1 && strstr(throng_error(), "squad 7"), "no squad");

    size_t arrived = 0, dead = 0, lost = 0;
    throng_agent came[16];
    for (int tick = 0; tick < 600; tick++) {
        if (tick < 100) {
            throng_point at = {4.5f + 0.05f * (float)tick, 6.5f};
            check(throng_drive(world, walkers[1], at, (throng_point){1, 0}) == 0, "drive");
        } else if (tick == 100) {
            check(throng_let_go(world, walkers[1]) == 0, "let go");
        }
        check(throng_tick(world) == 0, "tick");
        size_t now = throng_arrived(world, came, 16);
        for (size_t i = 0; i < now && i < 16; i++) {
            arrived += came[i].slot == walkers[0].slot && came[i].generation == walkers[0].generation;
        }
        dead += throng_dead(world, NULL, 0);
        lost += throng_no_route(world, NULL, 0);
    }
    check(throng_ticks(world) == 600 && throng_seconds(world) == 30.0, "the clock");
    check(arrived == 1 && dead == 0 && lost == 0, "the walker comes once");

    throng_body bodies[16];
    check(throng_bodies(world, bodies, 2) == 6 && throng_bodies(world, bodies, 16) == 6, "bodies");
    int found = 0;
    for (int i = 0; i < 6; i++) {
        found += bodies[i].agent.slot == walkers[0].slot && bodies[i].position.x > 30 && bodies[i].squad == UINT32_MAX;
        found += bodies[i].squad == 0 && bodies[i].position.y > 18 && bodies[i].health == 1 && bodies[i].radius > 0;
    }
    check(found == 3, "the walker and the squad are where they were sent");

    check(throng_save(world, arguments[2]) == 0, "save");
    throng_world *again = throng_restore(arguments[2], 1);
    check(again != NULL && throng_hash(again) == throng_hash(world), "restore");
    check(throng_remove(again, walkers, 2) == 2 && throng_remove(again, walkers, 2) == 0, "remove");
    check(throng_agents(again) == soldiers, "removed");
    printf("%016llx\n", (unsigned long long)throng_hash(world));
    throng_free(again);
    throng_free(world);
    throng_free(NULL);
    return 0;
}
