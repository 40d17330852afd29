// Values shoes by E. Farmer's classes, for `python -m benchmarks.others --farmer`, whose --help says
// how to build it beside his sources, which are not part of this project. A program built so falls
// under the licence of his sources, the GPL.
//
// Reads ten numbers of cards a shoe, from aces to tens; writes the EV and the processor seconds.
#include "blackjack.h"
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <new>

int main() {
    int cards[11] = {0};
    for (;;) {
        for (int rank = 1; rank <= 10; ++rank)
            if (std::scanf("%d", &cards[rank]) != 1) return 0;
        // His class reads fields that it never set where a rank runs out, as in one deck: in memory
        // that holds NaNs its value is wrong. Too large for the stack besides.
        void *const zeros = std::calloc(1, sizeof(BJPlayer));
        if (!zeros) return 1;
        const std::clock_t start = std::clock();
        BJShoe shoe(cards);
        // S17; doubling on any two cards; after a split; resplitting, not of aces; 3:2.
        BJRules rules(false, true, true, true, false, true, true, false, false, 1.5);
        BJStrategy strategy(true, true);  // CDZ-
        BJProgress progress;
        BJPlayer *const player = new (zeros) BJPlayer(shoe, rules, strategy, progress);
        const double ev = player->getValue();
        std::printf("%.17g %.9f\n", ev, double(std::clock() - start) / CLOCKS_PER_SEC);
        player->~BJPlayer();
        std::free(zeros);
    }
}
