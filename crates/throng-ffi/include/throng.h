/* A C interface of throng. Positions are in m, velocities in m/s; y grows downwards.
 *
 * A call that can fail returns -1 or NULL, and throng_error() tells why. A world belongs to one thread at a time.
 */
#ifndef THRONG_H
#define THRONG_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Everything: the map, the agents, their routes, the clock. */
typedef struct throng_world throng_world;

/* An agent: a slot, and how many agents had it before. The same over its life, and in a snapshot. */
typedef struct {
    uint32_t slot;
    uint32_t generation;
} throng_agent;

typedef struct {
    float x;
    float y;
} throng_point;

/* An agent as it is seen after a tick. */
typedef struct {
    throng_agent agent;
    throng_point position;
    /* A unit vector of where it looks. */
    throng_point heading;
    float radius;
    /* A share of the full one, above 0 and at most 1. */
    float health;
    /* The squad, by its place in the scenario; UINT32_MAX for a walker. */
    uint32_t squad;
    /* The kind of soldier, by its place in the scenario. */
    uint16_t unit;
    /* The army, by its place in the scenario. */
    uint8_t army;
} throng_body;

/* Orders of squads. */
typedef enum {
    THRONG_HOLD = 0,
    THRONG_ATTACK = 1,
    THRONG_CHARGE = 2,
    THRONG_FLEE = 3,
    /* To a point; fight what comes into sight on the way. */
    THRONG_GO_TO = 4,
    /* To a point, whatever comes into sight. */
    THRONG_MOVE = 5
} throng_order_kind;

/* Why the last call on this thread that failed did; an empty text before any has. It stays until the next one fails. */
const char *throng_error(void);

/* The world of a scenario file (.toml) at tick 0, worked on by so many threads; 0 = one a core. NULL where it cannot be read. */
throng_world *throng_load(const char *scenario, uint32_t threads);

/* The world of a snapshot. NULL where it cannot be read. */
throng_world *throng_restore(const char *snapshot, uint32_t threads);

/* Writes the world into a file, whole or not at all. */
int throng_save(const throng_world *world, const char *snapshot);

/* Ends a world; NULL is allowed. */
void throng_free(throng_world *world);

/* Lets a tick pass. After an error of a tick the world goes on all the same. */
int throng_tick(throng_world *world);

/* Ticks done, and the simulated time (s). */
uint64_t throng_ticks(const throng_world *world);
double throng_seconds(const throng_world *world);

/* Width and height of the map (m). */
throng_point throng_size(const throng_world *world);

/* A hash of all places, to the last bit. */
uint64_t throng_hash(const throng_world *world);

/* Living agents, and squads. */
size_t throng_agents(const throng_world *world);
size_t throng_squads(const throng_world *world);

/* Writes as many bodies as there are, `room` at most, and returns how many there are. */
size_t throng_bodies(throng_world *world, throng_body *bodies, size_t room);

/* Gives a squad an order; the point counts where the order leads to one. */
int throng_order(throng_world *world, uint32_t squad, throng_order_kind order, throng_point to);

/* Adds walkers of an army and a kind of soldier, and writes an id for each, where ids is not NULL. */
int throng_spawn(throng_world *world, uint8_t army, uint16_t unit, const throng_point *at, size_t count,
                 throng_agent *ids);

/* Takes agents off the map; returns how many were there. */
size_t throng_remove(throng_world *world, const throng_agent *agents, size_t count);

/* Sends a walker to a point by a route; may be called in each frame, for a goal that moves. */
int throng_walk_to(throng_world *world, throng_agent walker, throng_point to);

/* Moves a walker from outside, as a player's body: the others make way. throng_let_go ends it. */
int throng_drive(throng_world *world, throng_agent walker, throng_point at, throng_point velocity);
int throng_let_go(throng_world *world, throng_agent walker);

/* The agents that came to where they were sent, died, or found no route, in the last tick: as throng_bodies. */
size_t throng_arrived(const throng_world *world, throng_agent *agents, size_t room);
size_t throng_dead(const throng_world *world, throng_agent *agents, size_t room);
size_t throng_no_route(const throng_world *world, throng_agent *agents, size_t room);

#ifdef __cplusplus
}
#endif

#endif
